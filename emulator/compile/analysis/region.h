// What one piece of native code covers: the blocks that a path may pass from an entry on, up to steps that
// the loop has to do, and to places where other code begins.
#pragma once
#include <cstdint>
#include <set>
#include <vector>

#include "emulator/exec/warp/probe.h"
#include "emulator/kernel/lowered/kernel.h"

namespace wedjat::compile {

/// Steps [first, last) of a block. If `last` is not the block's count, the path leaves before that step; else
/// the block's end follows.
struct Node {
  std::uint32_t block = 0, first = 0, last = 0;
  bool outside = false;                  ///< not covered: the path leaves before the block
  std::vector<std::uint32_t> next = {};  ///< nodes, by successor as successors() lists them; or none
  bool ends(const kernel::Function& function) const {
    return !outside && last == function.blocks[block].count;
  }
};

struct Region {
  std::vector<Node> nodes;  ///< the entry first
};

/// How far a region goes.
struct Bounds {
  std::size_t most_steps = 0;          ///< about; what does not fit is left outside
  std::uint32_t until = 0xffffffffu;   ///< no block from this one on
  std::set<std::uint32_t> stops = {};  ///< blocks that have code of their own
  /// Not 0: the path leaves before one step in eight, which this number chooses.
  std::uint32_t leave = 0;
  const exec::Probes* probes = nullptr;  ///< Liveness::probes
};

/// Steps that only the loop can do: what waits, what needs a turn, what has no executor.
bool needs_loop(const kernel::Step& step, const exec::Probes* probes = nullptr);
/// Steps [first, last) of a block, as the loop counts them: without those that only watch.
std::uint32_t steps_in(const kernel::Function& function, std::uint32_t block, std::uint32_t first,
                       std::uint32_t last);

/// What a path may pass that stands before step `step` of a block.
Region region_from(const kernel::Function& function, std::uint32_t block, std::uint32_t step,
                   const Bounds& bounds);

}  // namespace wedjat::compile
