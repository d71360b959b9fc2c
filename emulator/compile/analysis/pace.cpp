#include "emulator/compile/analysis/pace.h"

#include <algorithm>

#include "emulator/exec/cta/costs.h"

namespace wedjat::compile {

namespace {

class Walk {
 public:
  Walk(const kernel::Function& function, const Region& region)
      : function_(function), region_(region), pace_(region.nodes.size()), spent_(region.nodes.size()) {
    state_.resize(region.nodes.size());
    pace_[0] = 0;
    run();
  }
  Pace result() { return std::move(pace_); }

 private:
  enum class State : std::uint8_t { unseen, open, done };

  // Depth first, without recursion: regions may be long.
  void run() {
    std::vector<std::pair<std::uint32_t, std::size_t>> stack{{0, 0}};
    state_[0] = State::open;
    while (!stack.empty()) {
      const std::uint32_t number = stack.back().first;
      const std::vector<std::uint32_t>& next = region_.nodes[number].next;
      if (stack.back().second < next.size()) {
        const std::uint32_t to = next[stack.back().second++];
        if (state_[to] == State::open) pace_[to] = 0;  // a loop
        if (state_[to] != State::unseen || region_.nodes[to].outside) continue;
        state_[to] = State::open;
        stack.emplace_back(to, 0);
        continue;
      }
      // The last end of a block is asked about where it leads to.
      const std::uint64_t here = cost_of(function_, region_.nodes[number]);
      for (const std::uint32_t to : next) {
        if (pace_[to] || region_.nodes[to].outside) continue;
        if (here + spent_[to] > most_unasked)
          pace_[to] = spent_[to];
        else
          spent_[number] = std::max(spent_[number], here + spent_[to]);
      }
      if (pace_[number]) pace_[number] = spent_[number];
      state_[number] = State::done;
      stack.pop_back();
    }
  }

  const kernel::Function& function_;
  const Region& region_;
  Pace pace_;
  std::vector<std::uint64_t> spent_;
  std::vector<State> state_;
};

}  // namespace

std::uint64_t cost_of(const kernel::Function& function, const Node& node) {
  std::uint64_t cost = steps_in(function, node.block, node.first, node.last) + 1;
  const std::uint32_t first = function.blocks[node.block].first;
  for (std::uint32_t i = first + node.first; i < first + node.last; ++i)
    if (function.steps[i].flags & kernel::step_flag::communicates) cost += exec::communication_cost;
  return cost;
}

Pace pace_of(const kernel::Function& function, const Region& region) {
  return Walk(function, region).result();
}

}  // namespace wedjat::compile
