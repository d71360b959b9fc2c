// The order in which blocks stand, which is the priority exec/ runs them by: topological with every loop
// contiguous, so that the lanes that run first are those that others wait for, and lanes reconverge at the
// nearest block all of them must pass.
#pragma once
#include <cstdint>
#include <vector>

namespace wedjat::kernel {

struct BlockOrder {
  std::vector<std::uint32_t> blocks;  ///< those that can be reached
  std::vector<std::uint32_t> depth;   ///< by block: how many loops it is in
};

/// successors[b] of block b; block 0 is the entry.
BlockOrder block_order(const std::vector<std::vector<std::uint32_t>>& successors);

}  // namespace wedjat::kernel
