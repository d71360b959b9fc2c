#include "emulator/compile/analysis/ways.h"

#include <cstddef>
#include <set>
#include <utility>

#include "emulator/exec/warp/passage.h"

namespace wedjat::compile {

namespace {

// Of code that is made twice.
constexpr std::size_t most_inside = exec::most_waiting - 1, most_steps_inside = 100;

}  // namespace

bool leads_on(const kernel::Function& function, const Node& node) {
  const kernel::End end = function.blocks[node.block].end.kind;
  return node.ends(function) && (end == kernel::End::Fall || end == kernel::End::Branch);
}

std::optional<Ways> ways_from(const kernel::Function& function, const Region& region, const Node& node) {
  if (!leads_on(function, node) || node.next.size() != 2) return std::nullopt;
  const auto first = [&](std::uint32_t a, std::uint32_t b) {
    return region.nodes[a].block < region.nodes[b].block;
  };
  std::set<std::uint32_t, decltype(first)> open(node.next.begin(), node.next.end(), first), inside(first);
  std::set<std::uint32_t> heads;
  std::size_t steps = 0;
  while (open.size() > 1) {
    const std::uint32_t number = *open.begin();
    const Node& aside = region.nodes[number];
    steps += aside.last - aside.first;
    if (aside.outside || aside.first != 0 || steps > most_steps_inside || inside.size() == most_inside)
      return std::nullopt;
    open.erase(open.begin());
    inside.insert(number);
    if (!leads_on(function, aside)) continue;
    for (const std::uint32_t next : aside.next) {
      if (region.nodes[next].block <= aside.block) heads.insert(next);
      if (!inside.contains(next)) open.insert(next);
    }
  }
  const std::uint32_t meet = *open.begin();
  if (inside.empty() || !first(*inside.rbegin(), meet)) return std::nullopt;
  return Ways{{inside.begin(), inside.end()}, meet, std::move(heads)};
}

void keep_ways_whole(const kernel::Function& function, std::uint32_t block, std::uint32_t step,
                     Bounds& bounds) {
  if (bounds.stops.empty()) return;
  Bounds without = bounds;
  without.stops.clear();
  const Region region = region_from(function, block, step, without);
  for (const Node& node : region.nodes)
    if (const std::optional<Ways> ways = ways_from(function, region, node); ways && ways->heads.empty())
      for (const std::uint32_t aside : ways->inside) bounds.stops.erase(region.nodes[aside].block);
}

}  // namespace wedjat::compile
