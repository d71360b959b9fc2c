// Loops of any graph, irreducible ones too.
#pragma once
#include "emulator/kernel/rows/loop_forest.h"

namespace wedjat::kernel {

/// Fills loops and loop_of of a forest that knows what is reached, in time that grows with how deep loops
/// nest.
void find_regions(const std::vector<Blocks>& successors, LoopForest& forest);

}  // namespace wedjat::kernel
