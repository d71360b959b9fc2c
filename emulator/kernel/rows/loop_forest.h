// Which loops a function has, and which lies in which.
#pragma once
#include <cstdint>
#include <vector>

namespace wedjat::kernel {

using Blocks = std::vector<std::uint32_t>;

/// Loops of more than one block: strongly connected, and again so without the edges into the header of the
/// loop around it. The header is the first block that is entered from outside; of several (an irreducible
/// loop) the first in the source.
struct LoopForest {
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  struct Loop {
    std::uint32_t header, outer, depth;  ///< outer: index, or none; depth: 1 is outermost
  };
  std::vector<Loop> loops;             ///< an outer one before those in it
  Blocks reached;                      ///< ascending
  std::vector<std::uint32_t> loop_of;  ///< by block: the innermost
};

/// successors[b] of block b; block 0 is the entry.
LoopForest loop_forest(const std::vector<Blocks>& successors);

}  // namespace wedjat::kernel
