// Which bytes hold a value: a bit each; and of those that a kernel filled with an undefined one, where that
// came from.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace memory_check {

/// A load of bytes that nobody wrote.
using Origin = std::uint32_t;  // index of the load; 0: none

class Shadow {
 public:
  explicit Shadow(std::uint64_t bytes = 0, bool defined = false)
      : bytes_(bytes),
        undefined_(defined ? 0 : bytes),
        words_((bytes + 63) / 64, defined ? ~std::uint64_t{0} : 0) {}

  std::uint64_t bytes() const { return bytes_; }
  /// Whether all bytes do.
  bool defined() const { return undefined_ == 0; }
  bool defined(std::uint64_t at, std::uint64_t count) const {
    if (undefined_ == 0 || at >= bytes_) return true;  // what lies outside is not judged here
    const std::uint64_t end = at + std::min(count, bytes_ - at);
    std::uint64_t missing = 0;
    for (std::uint64_t here; at < end; at += here) {
      here = std::min(end - at, 64 - at % 64);
      missing |= ~words_[at / 64] >> at % 64 & low(here);
    }
    return missing == 0;
  }
  /// Whether none of the bytes holds a value.
  bool untouched(std::uint64_t at, std::uint64_t count) const {
    for (std::uint64_t i = at; i < at + count; ++i)
      if (defined(i, 1)) return false;
    return true;
  }
  void define(std::uint64_t at, std::uint64_t count) {
    set(at, count, true);
    if (!origins_.empty())
      for (std::uint64_t i = at; i < at + count; ++i) origins_.erase(i);
  }
  void undefine(std::uint64_t at, std::uint64_t count, Origin origin) {
    set(at, count, false);
    if (origins_.size() >= most_origins) return;
    for (std::uint64_t i = at; i < at + count && i < bytes_; ++i) origins_[i] = origin;
  }
  /// Of the first byte in there that was filled with an undefined value; 0: there is none.
  Origin origin(std::uint64_t at, std::uint64_t count) const {
    if (origins_.empty()) return 0;
    for (std::uint64_t i = at; i < at + count && i < bytes_; ++i)
      if (const auto found = origins_.find(i); found != origins_.end()) return found->second;
    return 0;
  }
  void define_all() {
    std::fill(words_.begin(), words_.end(), ~std::uint64_t{0});
    undefined_ = 0;
    origins_.clear();
  }
  const std::unordered_map<std::uint64_t, Origin>& origins() const { return origins_; }

 private:
  static std::uint64_t low(std::uint64_t count) {
    return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  }
  void set(std::uint64_t at, std::uint64_t count, bool value) {
    const std::uint64_t end = std::min(at + count, bytes_);
    while (at < end) {
      const std::uint64_t here = std::min(end - at, 64 - at % 64), mask = low(here) << at % 64;
      std::uint64_t& word = words_[at / 64];
      const std::uint64_t before = word;
      word = value ? word | mask : word & ~mask;
      undefined_ +=
          static_cast<std::uint64_t>(std::popcount(before)) - static_cast<std::uint64_t>(std::popcount(word));
      at += here;
    }
  }

  static constexpr std::size_t most_origins = 1 << 20;
  std::uint64_t bytes_, undefined_;  // bytes, and those of them that hold no value
  std::vector<std::uint64_t> words_;
  std::unordered_map<std::uint64_t, Origin> origins_;  // by byte
};

}  // namespace memory_check
