// What registers hold within a block: each result is a value of its own, as ptxas allots registers anew, so
// nothing waits for a register that is merely used again. Registers of 64 bits are two halves.
#pragma once
#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "costs.hpp"

namespace timing {

struct Use {
  std::uint32_t value = 0;
  Read how = Read::value;
};

/// Half of a register.
struct Half {
  std::uint32_t of = 0;  // register
  bool is_upper = false;
  [[nodiscard]] std::uint32_t value() const {
    return 2 * of + (is_upper ? 1 : 0);
  }  // that it has when a block begins
};

class Values {
 public:
  explicit Values(std::uint32_t registers) : first_(2 * registers), next_(first_), end_(first_) {}

  void begin() { holds_.clear(), next_ = first_; }
  /// What makes up what it holds: it may have several parts, where several instructions make a result.
  [[nodiscard]] std::vector<std::uint32_t> read(Half half) const {
    const auto found = holds_.find(half.value());
    return found == holds_.end() ? std::vector{half.value()} : found->second;
  }
  std::uint32_t fresh() { return end_ = std::max(end_, next_ + 1), next_++; }
  /// What several of them are made of counts once: else lists would double with each copy of a copy.
  void write(Half half, std::vector<std::uint32_t> values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    holds_[half.value()] = std::move(values);
  }
  /// By the value that each half had before the block, what it holds behind it.
  [[nodiscard]] const std::unordered_map<std::uint32_t, std::vector<std::uint32_t>>& written() const {
    return holds_;
  }
  [[nodiscard]] std::uint32_t count() const { return end_; }

 private:
  std::uint32_t first_, next_, end_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> holds_;
};

}  // namespace timing
