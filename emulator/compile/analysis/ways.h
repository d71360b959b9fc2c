// Blocks that some lanes take while others take other ones, as far as where all of them meet.
#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "emulator/compile/analysis/region.h"

namespace wedjat::compile {

/// By numbers of nodes of a region.
struct Ways {
  std::vector<std::uint32_t>
      inside;  ///< in the order of their places: that is how the loop takes parted lanes
  std::uint32_t meet = 0;
  std::set<std::uint32_t> heads = {};  ///< of loops: nodes that others behind them lead to
};

/// Code goes on behind the node, in a block or two of the function.
bool leads_on(const kernel::Function& function, const Node& node);

/// Whether the ways from where the node ends are short, covered by the region, and lead to one block.
std::optional<Ways> ways_from(const kernel::Function& function, const Region& region, const Node& node);

/// Leaves out the stops that lie on such ways without loops: where a region stops in the middle, the lanes
/// that have parted are left to the loop, and at a barrier behind it all warps wait for them.
void keep_ways_whole(const kernel::Function& function, std::uint32_t block, std::uint32_t step,
                     Bounds& bounds);

}  // namespace wedjat::compile
