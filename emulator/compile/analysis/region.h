// What one piece of native code covers: the blocks that a path may pass from an entry on, up to steps that
// the loop has to do.
#pragma once
#include <cstdint>
#include <vector>

#include "emulator/kernel/lowered/kernel.h"

namespace wedjat::compile {

/// Steps [first, last) of a block. If `last` is not the block's count, the path leaves before that step; else
/// the block's end follows.
struct Node {
  std::uint32_t block = 0, first = 0, last = 0;
  std::vector<std::uint32_t>
      next;  ///< nodes, by successor as successors() lists them; `outside`: not covered
  bool ends(const kernel::Function& function) const { return last == function.blocks[block].count; }
};
inline constexpr std::uint32_t outside = 0xffffffffu;

struct Region {
  std::vector<Node> nodes;  ///< the entry first
};

/// Steps that only the loop can do: what waits, what needs a turn, what has no executor.
bool needs_loop(const kernel::Step& step);

/// At most about `most_steps`; what does not fit is left outside. `leave`: not 0: the path leaves before one
/// step in eight, which this number chooses.
Region region_from(const kernel::Function& function, std::uint32_t block, std::uint32_t step,
                   std::size_t most_steps, std::uint32_t leave = 0);

}  // namespace wedjat::compile
