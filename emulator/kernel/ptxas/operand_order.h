// The order in which ptxas 13.0 gives the operands of symmetric instructions to the hardware: the one that
// was computed first comes first, a literal last. Which of two NaNs a double-precision result gets its
// payload from depends on it. Which instructions: semantics/profiles/sm_90_operand_order.psem.
#pragma once
#include "emulator/kernel/draft/draft.h"
#include "emulator/kernel/forms/form_table.h"

namespace wedjat::kernel {

/// Also makes copies of what is a copy.
void order_operands(Draft& draft, const FormTable& table);

}  // namespace wedjat::kernel
