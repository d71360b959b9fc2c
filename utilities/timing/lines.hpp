// Lines that a cache of all lines holds, and lines that are counted once each.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <unordered_map>

namespace timing {

/// The lines used last, so many.
class RecentLines {
 public:
  explicit RecentLines(std::size_t most) : most_(most) {}

  /// Whether it was there; it is now.
  bool use(std::uint64_t line) {
    const auto found = places_.find(line);
    if (found != places_.end()) return order_.splice(order_.begin(), order_, found->second), true;
    places_[line] = order_.insert(order_.begin(), line);
    if (order_.size() > most_) places_.erase(order_.back()), order_.pop_back();
    return false;
  }

 private:
  std::size_t most_;
  std::list<std::uint64_t> order_;
  std::unordered_map<std::uint64_t, std::list<std::uint64_t>::iterator> places_;
};

/// Each once, as far as there is room.
struct Lines {
  std::array<std::uint64_t, 256> seen;
  std::uint32_t count = 0;

  void add(std::uint64_t line) {
    const auto end = seen.begin() + count;
    if (count < seen.size() && std::find(seen.begin(), end, line) == end) seen[count++] = line;
  }
};

}  // namespace timing
