// How deep in a list ordered by last use each accessed line lies: logarithmic, by a tree of counts over time.
#pragma once
#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace reuse_distance {

class LruDepth {
 public:
  static constexpr std::uint64_t cold = ~std::uint64_t{0};

  /// Distinct other lines since the last access of `line`; cold: this is its first.
  std::uint64_t access(std::uint64_t line) {
    if (now_ == counts_.size()) renumber();
    const auto [last, is_new] = last_.try_emplace(line, now_);
    std::uint64_t depth = cold;
    if (!is_new) {
      depth = last_.size() - up_to(last->second);
      add(last->second, ~std::uint64_t{0});
      last->second = now_;
    }
    add(now_++, 1);
    return depth;
  }

 private:
  void add(std::size_t time, std::uint64_t value) {
    for (std::size_t i = time + 1; i <= counts_.size(); i += i & -i) counts_[i - 1] += value;
  }
  // Lines whose last access was no later.
  std::uint64_t up_to(std::size_t time) const {
    std::uint64_t sum = 0;
    for (std::size_t i = time + 1; i != 0; i -= i & -i) sum += counts_[i - 1];
    return sum;
  }
  // Times become 0, 1, … in their order, and there is room for as many again.
  void renumber() {
    std::vector<std::size_t*> times;
    for (auto& [line, time] : last_) times.push_back(&time);
    std::ranges::sort(times, {}, [](const std::size_t* time) { return *time; });
    counts_.assign(std::max<std::size_t>(1024, 2 * times.size()), 0);
    for (now_ = 0; now_ < times.size(); ++now_) {
      *times[now_] = now_;
      add(now_, 1);
    }
  }

  std::unordered_map<std::uint64_t, std::size_t> last_;  // by line: when it was accessed last
  std::vector<std::uint64_t> counts_;  // a Fenwick tree: 1 where some line was accessed last
  std::size_t now_ = 0;
};

}  // namespace reuse_distance
