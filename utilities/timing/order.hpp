// The order in which ptxas puts the instructions of a block: it begins at the end, and of what can stand
// there takes what lies farthest from the beginning. So each stands as late as what waits for it allows, as
// long as there are predicates for all that wait.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "costs.hpp"
#include "values.hpp"

namespace timing {

/// What may not pass an instruction, nor be passed by it.
enum class Fence : std::uint8_t { none, load, store, all };

/// Where an access goes, as far as the text shows it.
struct Place {
  std::uint8_t space = 0;
  std::uint32_t base = 0;
  std::string_view address;
  bool is_strong = false;  // volatile, relaxed …: strong ones keep their order

  /// Other spaces, or other offsets from the same register.
  [[nodiscard]] bool is_apart(const Place& other) const {
    return space != other.space || (base == other.base && address != other.address);
  }
};

struct Needs {
  std::span<const Use> reads;
  std::span<const std::uint32_t> writes;
  Cost cost;  // as ptxas thinks of it
  Fence fence = Fence::none;
  Place place;  // of a load or store
};

class Order {
 public:
  explicit Order(const std::vector<Needs>& needs)
      : needs_(needs), before_(needs.size()), left_(needs.size()), depth_(needs.size()) {
    for (std::uint32_t i = 0; i < needs.size(); ++i) link(i);
    for (std::uint32_t i = 0; i < needs.size(); ++i)
      for (const auto& [from, delay] : before_[i]) depth_[i] = std::max(depth_[i], depth_[from] + delay);
  }

  std::vector<std::uint32_t> place() {
    std::vector<std::uint32_t> placed;
    std::vector<std::uint64_t> ready(needs_.size(), 0);  // cycles from the end
    std::vector<std::uint32_t> waiting;                  // all that needs it is placed
    for (std::uint32_t i = 0; i < needs_.size(); ++i)
      if (left_[i] == 0) waiting.push_back(i);
    for (std::uint64_t now = 0; !waiting.empty();) {
      auto best = waiting.begin();
      for (auto it = best + 1; it != waiting.end(); ++it) {
        const std::uint64_t one = std::max(now, ready[*it]) + late(*it),
                            other = std::max(now, ready[*best]) + late(*best);
        if (one != other                   ? one < other
            : depth_[*it] != depth_[*best] ? depth_[*it] > depth_[*best]
                                           : *it > *best)
          best = it;
      }
      const std::uint32_t one = *best;
      *best = waiting.back(), waiting.pop_back();
      placed.push_back(one);
      for (const std::uint32_t value : needs_[one].writes) predicates_.erase(value);
      for (const Use& use : needs_[one].reads)
        if (use.how != Read::value) predicates_.insert(use.value);
      const std::uint64_t start = std::max(now, ready[one]);
      now = start + (needs_[one].cost.issue + kParts - 1) / kParts;
      for (const auto& [from, delay] : before_[one]) {
        ready[from] = std::max(ready[from], start + delay);
        if (--left_[from] == 0) waiting.push_back(from);
      }
    }
    std::ranges::reverse(placed);
    return placed;
  }

 private:
  // An instruction that reads more predicates than there are left is put off: so many cycles, rather than
  // keep one of them in a register.
  [[nodiscard]] std::uint64_t late(std::uint32_t i) const {
    std::size_t more = 0, fewer = 0;
    for (const Use& use : needs_[i].reads) more += use.how != Read::value && !predicates_.contains(use.value);
    if (more == 0) return 0;
    for (const std::uint32_t value : needs_[i].writes) fewer += predicates_.contains(value);
    return predicates_.size() + more - fewer > h200::predicates ? h200::put_off : 0;
  }
  void edge(std::uint32_t from, std::uint32_t to, std::uint64_t delay) {
    before_[to].emplace_back(from, delay), ++left_[from];
  }
  void link(std::uint32_t i) {
    const Needs& one = needs_[i];
    for (const Use& use : one.reads)
      if (const auto found = written_.find(use.value); found != written_.end() && found->second != i)
        edge(found->second, i, delay(needs_[found->second].cost, one.cost, use.how));
    for (const std::uint32_t value : one.writes) written_[value] = i;
    if (one.fence == Fence::all)
      for (std::uint32_t before = last_fence_; before < i; ++before) edge(before, i, 0);
    else if (i > 0 && has_fence_)
      edge(last_fence_, i, 0);
    if (one.fence == Fence::store || one.fence == Fence::load) {
      for (const std::uint32_t access : accesses_) {
        const bool stores = one.fence == Fence::store || needs_[access].fence == Fence::store;
        const bool strong = one.place.is_strong && needs_[access].place.is_strong;
        if (strong || (stores && !one.place.is_apart(needs_[access].place))) edge(access, i, 0);
      }
      accesses_.push_back(i);
    }
    if (one.fence == Fence::all) {
      last_fence_ = i, has_fence_ = true;
      accesses_.clear();
    }
  }

  const std::vector<Needs>& needs_;
  std::vector<std::vector<std::pair<std::uint32_t, std::uint64_t>>> before_;
  std::vector<std::uint32_t> left_;  // that are not placed yet of those behind it
  std::vector<std::uint64_t> depth_;
  std::map<std::uint32_t, std::uint32_t> written_;
  std::set<std::uint32_t> predicates_;  // read by what is placed, their writers not yet
  std::vector<std::uint32_t> accesses_;
  std::uint32_t last_fence_ = 0;
  bool has_fence_ = false;
};

/// The time that it takes grows with the square of what is put in order together: of longer blocks, pieces.
inline constexpr std::size_t kLongest = 2048;

inline std::vector<std::uint32_t> order_of(const std::vector<Needs>& needs) {
  std::vector<std::uint32_t> order;
  for (std::size_t first = 0; first < needs.size(); first += kLongest) {
    const auto begin = needs.begin() + static_cast<std::ptrdiff_t>(first);
    const auto length = static_cast<std::ptrdiff_t>(std::min(kLongest, needs.size() - first));
    const std::vector<Needs> piece(begin, begin + length);
    for (const std::uint32_t index : Order(piece).place())
      order.push_back(static_cast<std::uint32_t>(first + index));
  }
  return order;
}

}  // namespace timing
