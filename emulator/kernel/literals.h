// Functions of literals are computed by ptxas itself, correctly rounded, where the special-function unit
// would round otherwise.
#pragma once
#include "emulator/kernel/contraction_rules.h"
#include "emulator/kernel/draft.h"
#include "emulator/kernel/form_table.h"

namespace wedjat::kernel {

/// Replaces them by what they give, unless that is subnormal, infinite or NaN, and signs of NaNs.
void fold_literals(Draft& draft, const ContractionRules& rules, const FormTable& table);

}  // namespace wedjat::kernel
