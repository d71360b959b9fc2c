// Blocks that always run one after the other, as ptxas sees them: what contraction calls a block.
#pragma once
#include <cstdint>
#include <vector>

#include "emulator/kernel/draft/draft.h"

namespace wedjat::kernel {

/// In source order.
std::vector<std::uint32_t> reachable_blocks(const Draft& draft);

/// Each block of `blocks` (those that can be reached) is in one run; a run is a chain in which each block
/// falls into the next and nothing else enters that.
std::vector<std::vector<std::uint32_t>> straight_runs(const Draft& draft,
                                                      const std::vector<std::uint32_t>& blocks);

}  // namespace wedjat::kernel
