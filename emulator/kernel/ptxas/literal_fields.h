// Shifts of 16 bits by a literal, and bit fields whose place and length are both literals, as ptxas 13.0
// computes them where they reach beyond the register. Which instructions:
// semantics/profiles/sm_90_operand_order.psem.
#pragma once

#include "emulator/kernel/draft/draft.h"
#include "emulator/kernel/forms/form_table.h"

namespace wedjat::kernel {

void correct_literal_fields(Draft& draft, const FormTable& table);

}  // namespace wedjat::kernel
