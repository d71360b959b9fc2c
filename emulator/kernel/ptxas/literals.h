// Functions of literals are computed by ptxas itself, correctly rounded, where the special-function unit
// would round otherwise.
#pragma once
#include "emulator/kernel/draft/draft.h"
#include "emulator/kernel/forms/form_table.h"
#include "emulator/kernel/ptxas/contraction_rules.h"

namespace wedjat::kernel {

/// Replaces them by what they give, unless that is subnormal, infinite or NaN, and signs of NaNs.
void fold_literals(Draft& draft, const ContractionRules& rules, const FormTable& table);

}  // namespace wedjat::kernel
