// Registers of a block under the names that ptxas gives them: each value has a name of its own, so that
// nothing waits for a register that is merely used again.
#pragma once
#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace timing {

class Names {
 public:
  /// Registers have the names below `registers`, values of blocks those above.
  explicit Names(std::uint32_t registers) : first_(registers), next_(registers), end_(registers) {}

  /// A block begins: how often it writes each register is known before, for the last value of a register is
  /// what the next blocks find there.
  void begin(std::unordered_map<std::uint32_t, std::uint32_t> writes) {
    left_ = std::move(writes), current_.clear(), next_ = first_;
  }
  [[nodiscard]] std::uint32_t read(std::uint32_t r) const {
    const auto found = current_.find(r);
    return found == current_.end() ? r : found->second;
  }
  std::uint32_t write(std::uint32_t r) {
    const std::uint32_t name = --left_[r] == 0 ? r : fresh();
    return current_[r] = name;
  }
  std::uint32_t fresh() { return end_ = std::max(end_, next_ + 1), next_++; }
  [[nodiscard]] std::uint32_t count() const { return end_; }

 private:
  std::uint32_t first_, next_, end_;
  std::unordered_map<std::uint32_t, std::uint32_t> left_, current_;
};

}  // namespace timing
