// The order in which ptxas puts the instructions of a block: what is ready goes first, the longest way to the
// end before others.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

namespace timing {

/// What may not pass an instruction, nor be passed by it.
enum class Fence : std::uint8_t { none, load, store, all };

/// Where an access goes, as far as the text shows it.
struct Place {
  std::uint8_t space = 0;
  std::uint32_t base = 0;
  std::string_view address;

  /// Other spaces, or other offsets from the same register.
  [[nodiscard]] bool is_apart(const Place& other) const {
    return space != other.space || (base == other.base && address != other.address);
  }
};

struct Needs {
  std::span<const std::uint32_t> reads, writes;
  std::uint32_t latency = 0, issue = 0;  // cycles, parts of a cycle
  Fence fence = Fence::none;
  Place place;  // of a load or store
};

/// How far ptxas looks ahead of the first instruction that is not placed yet: it keeps registers few by rules
/// that are not known. Of 24, 28, 32, 36 and 40 the one that brings the straight lines that accuracy.py calls
/// fitted nearest.
inline constexpr std::size_t kWindow = 32;

class Order {
 public:
  explicit Order(const std::vector<Needs>& needs) : needs_(needs), after_(needs.size()), left_(needs.size()) {
    for (std::uint32_t i = 0; i < needs.size(); ++i) link(i);
    height_.resize(needs.size());
    for (std::size_t i = needs.size(); i-- > 0;)
      for (const auto& [next, delay] : after_[i]) height_[i] = std::max(height_[i], height_[next] + delay);
  }

  std::vector<std::uint32_t> place() {
    std::vector<std::uint32_t> placed;
    std::vector<std::uint64_t> ready(needs_.size(), 0);
    std::vector<bool> done(needs_.size(), false);
    std::vector<std::uint32_t> waiting;  // all that it needs is placed
    for (std::uint32_t i = 0; i < needs_.size(); ++i)
      if (left_[i] == 0) waiting.push_back(i);
    std::uint64_t now = 0;
    for (std::size_t oldest = 0; placed.size() < needs_.size();) {
      while (done[oldest]) ++oldest;
      auto best = waiting.end();
      std::uint64_t best_start = 0;
      for (auto it = waiting.begin(); it != waiting.end(); ++it) {
        if (*it > oldest + kWindow) continue;
        const std::uint64_t start = std::max(now, ready[*it]);
        const bool better = best == waiting.end() || start < best_start ||
                            (start == best_start && (height_[*it] > height_[*best] ||
                                                     (height_[*it] == height_[*best] && *it < *best)));
        if (better) best = it, best_start = start;
      }
      const std::uint32_t one = *best;
      *best = waiting.back(), waiting.pop_back();
      placed.push_back(one), done[one] = true;
      now = best_start + needs_[one].issue;
      for (const auto& [next, delay] : after_[one]) {
        ready[next] = std::max(ready[next], best_start + delay);
        if (--left_[next] == 0) waiting.push_back(next);
      }
    }
    return placed;
  }

 private:
  void edge(std::uint32_t from, std::uint32_t to, std::uint64_t delay) {
    after_[from].emplace_back(to, delay), ++left_[to];
  }
  void link(std::uint32_t i) {
    const Needs& one = needs_[i];
    for (const std::uint32_t name : one.reads)
      if (const auto found = written_.find(name); found != written_.end())
        edge(found->second, i, std::uint64_t{needs_[found->second].latency} * 16);
    for (const std::uint32_t name : one.writes) {
      for (const std::uint32_t reader : read_[name])
        if (reader != i) edge(reader, i, 0);
      if (const auto found = written_.find(name); found != written_.end() && found->second != i)
        edge(found->second, i, 0);
      read_[name].clear(), written_[name] = i;
    }
    for (const std::uint32_t name : one.reads) read_[name].push_back(i);
    if (one.fence == Fence::all)
      for (std::uint32_t before = last_fence_; before < i; ++before) edge(before, i, 0);
    else if (i > 0 && has_fence_)
      edge(last_fence_, i, 0);
    if (one.fence == Fence::store || one.fence == Fence::load) {
      for (const std::uint32_t access : accesses_) {
        const bool stores = one.fence == Fence::store || needs_[access].fence == Fence::store;
        if (stores && !one.place.is_apart(needs_[access].place)) edge(access, i, 0);
      }
      accesses_.push_back(i);
    }
    if (one.fence == Fence::all) {
      last_fence_ = i, has_fence_ = true;
      accesses_.clear();
    }
  }

  const std::vector<Needs>& needs_;
  std::vector<std::vector<std::pair<std::uint32_t, std::uint64_t>>> after_;
  std::vector<std::uint32_t> left_;
  std::vector<std::uint64_t> height_;
  std::map<std::uint32_t, std::uint32_t> written_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> read_;
  std::vector<std::uint32_t> accesses_;
  std::uint32_t last_fence_ = 0;
  bool has_fence_ = false;
};

inline std::vector<std::uint32_t> order_of(const std::vector<Needs>& needs) { return Order(needs).place(); }

}  // namespace timing
