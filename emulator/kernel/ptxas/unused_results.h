// Atomics whose result nobody reads: ptxas makes reductions of them.
#pragma once
#include "emulator/kernel/draft/draft.h"
#include "emulator/kernel/forms/form_table.h"

namespace wedjat::kernel {

/// They are no longer ordered where the red of the same words is not: that of a sum of integers comes out the
/// same in any order.
void release_unused_results(Draft& draft, const FormTable& table);

}  // namespace wedjat::kernel
