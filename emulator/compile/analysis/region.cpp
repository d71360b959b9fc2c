#include "emulator/compile/analysis/region.h"

#include <algorithm>
#include <deque>
#include <map>

#include "emulator/compile/analysis/successors.h"

namespace wedjat::compile {

bool needs_loop(const kernel::Step& step, const exec::Probes* probes) {
  if (exec::is_probe(step)) return !probes->of(step).by_hand.empty();
  namespace flag = kernel::step_flag;
  if (step.flags & (flag::ordered | flag::waits | flag::barrier | flag::system)) return true;
  return (step.flags & flag::rendezvous) != 0 && step.guard != 0;
}

std::uint32_t steps_in(const kernel::Function& function, std::uint32_t block, std::uint32_t first,
                       std::uint32_t last) {
  const auto begin = function.steps.begin() + function.blocks[block].first;
  const auto probes = std::count_if(begin + first, begin + last, exec::is_probe);
  return last - first - static_cast<std::uint32_t>(probes);
}

Region region_from(const kernel::Function& function, std::uint32_t block, std::uint32_t step,
                   const Bounds& bounds) {
  // The path got here, so it can get past the step it stands at.
  const auto leaves = [&](std::uint32_t i, bool first) {
    return needs_loop(function.steps[i], bounds.probes) ||
           (bounds.leave != 0 && !first && (i * 2654435761u ^ bounds.leave) % 8 == 0);
  };
  Region region;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> known;
  std::deque<std::uint32_t> open;
  std::size_t steps = 0;
  const auto node_at = [&](std::uint32_t at, std::uint32_t first) {
    const auto number = static_cast<std::uint32_t>(region.nodes.size());
    const auto [found, is_new] = known.try_emplace({at, first}, number);
    if (!is_new) return found->second;
    Node node{.block = at, .first = first, .last = first};
    const bool entry = number == 0;
    node.outside = !entry && (steps > bounds.most_steps || at >= bounds.until || bounds.stops.contains(at));
    if (!node.outside) {
      const kernel::Block& here = function.blocks[at];
      while (node.last != here.count && !leaves(here.first + node.last, node.last == first)) ++node.last;
      steps += node.last - node.first + 1;
    }
    region.nodes.push_back(std::move(node));
    open.push_back(number);
    return number;
  };
  node_at(block, step);
  while (!open.empty()) {
    const std::uint32_t number = open.front();
    open.pop_front();
    if (!region.nodes[number].ends(function)) continue;
    const kernel::Terminator& end = function.blocks[region.nodes[number].block].end;
    const bool stays = end.kind == kernel::End::Fall || end.kind == kernel::End::Branch ||
                       end.kind == kernel::End::IndexedBranch;
    // Calls enter another function, returns and exits leave this one: the loop sees to those.
    if (!stays) continue;
    for (const std::uint32_t next : successors(end)) {
      const std::uint32_t target = node_at(next, 0);
      region.nodes[number].next.push_back(target);
    }
  }
  return region;
}

}  // namespace wedjat::compile
