// Which bytes hold a value: a bit each; and of those that a kernel filled with an undefined one, where that
// came from.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

namespace memory_check {

/// A load of bytes that nobody wrote.
using Origin = std::uint32_t;  // index of the load; 0: none

class Shadow {
 public:
  enum class Of : std::uint8_t {
    one_cta,   // one thread of the host uses it
    all_ctas,  // many do, while a launch runs
  };
  explicit Shadow(std::uint64_t bytes = 0, bool defined = false, Of of = Of::one_cta)
      : of_(of),
        bytes_(bytes),
        undefined_(defined ? 0 : bytes),
        words_((bytes + 63) / 64, defined ? ~std::uint64_t{0} : 0) {}

  std::uint64_t bytes() const { return bytes_; }
  /// Whether all bytes do.
  bool defined() const { return now(undefined_) == 0; }
  bool defined(std::uint64_t at, std::uint64_t count) const {
    if (defined() || at >= bytes_) return true;  // what lies outside is not judged here
    const std::uint64_t end = at + std::min(count, bytes_ - at);
    std::uint64_t missing = 0;
    for (std::uint64_t here; at < end; at += here) {
      here = std::min(end - at, 64 - at % 64);
      missing |= ~now(words_[at / 64]) >> at % 64 & low(here);
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
    if (now(known_origins_) == 0) return;
    const auto lock = hold();
    for (std::uint64_t i = at; i < at + count; ++i) origins_.erase(i);
    count_origins();
  }
  void undefine(std::uint64_t at, std::uint64_t count, Origin origin) {
    set(at, count, false);
    const auto lock = hold();
    if (origins_.size() >= most_origins) return;
    for (std::uint64_t i = at; i < at + count && i < bytes_; ++i) origins_[i] = origin;
    count_origins();
  }
  /// Of the first byte in there that was filled with an undefined value; 0: there is none.
  Origin origin(std::uint64_t at, std::uint64_t count) const {
    if (now(known_origins_) == 0) return 0;
    const auto lock = hold();
    for (std::uint64_t i = at; i < at + count && i < bytes_; ++i)
      if (const auto found = origins_.find(i); found != origins_.end()) return found->second;
    return 0;
  }
  /// All there are, when no launch runs.
  std::set<Origin> origins() const {
    std::set<Origin> all;
    for (const auto& [byte, origin] : origins_) all.insert(origin);
    return all;
  }

 private:
  static std::uint64_t low(std::uint64_t count) {
    return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  }
  void set(std::uint64_t at, std::uint64_t count, bool value) {
    const std::uint64_t end = std::min(at + count, bytes_);
    while (at < end) {
      const std::uint64_t here = std::min(end - at, 64 - at % 64), mask = low(here) << at % 64;
      const std::uint64_t before = of_ == Of::one_cta ? change(words_[at / 64], mask, value)
                                                      : change_together(words_[at / 64], mask, value),
                          changed =
                              static_cast<std::uint64_t>(std::popcount((value ? ~before : before) & mask));
      const std::uint64_t grows = value ? ~changed + 1 : changed;
      if (of_ == Of::one_cta)
        undefined_ += grows;
      else if (changed != 0)
        __atomic_fetch_add(&undefined_, grows, __ATOMIC_RELAXED);
      at += here;
    }
  }
  // What the word was.
  static std::uint64_t change(std::uint64_t& word, std::uint64_t mask, bool value) {
    const std::uint64_t before = word;
    word = value ? word | mask : word & ~mask;
    return before;
  }
  static std::uint64_t change_together(std::uint64_t& word, std::uint64_t mask, bool value) {
    return value ? __atomic_fetch_or(&word, mask, __ATOMIC_RELAXED)
                 : __atomic_fetch_and(&word, ~mask, __ATOMIC_RELAXED);
  }
  static std::uint64_t now(const std::uint64_t& number) { return __atomic_load_n(&number, __ATOMIC_RELAXED); }
  // Values that are undefined are rare, so that all memory may wait for one lock.
  std::optional<std::unique_lock<std::mutex>> hold() const {
    static std::mutex mutex;
    if (of_ == Of::one_cta) return std::nullopt;
    return std::unique_lock(mutex);
  }
  void count_origins() { __atomic_store_n(&known_origins_, origins_.size(), __ATOMIC_RELAXED); }

  static constexpr std::size_t most_origins = 1 << 20;
  Of of_;
  std::uint64_t bytes_, undefined_;  // bytes, and those of them that hold no value
  std::vector<std::uint64_t> words_;
  std::unordered_map<std::uint64_t, Origin> origins_;  // by byte
  std::uint64_t known_origins_ = 0;                    // how many
};

}  // namespace memory_check
