// Atomics whose result nobody reads: ptxas makes reductions of them.
#pragma once
#include "emulator/kernel/draft/draft.h"

namespace wedjat::kernel {

/// Reductions are no longer ordered among CTAs: a sum of integers comes out the same in any order.
void release_unused_results(Draft& draft);

}  // namespace wedjat::kernel
