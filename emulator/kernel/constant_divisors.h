// Divisions by a constant, of which ptxas makes products with its rounded reciprocal.
#pragma once
#include "emulator/kernel/contraction_rules.h"
#include "emulator/kernel/draft.h"

namespace wedjat::kernel {

/// Gives such divisions the form that the profile lists (`quotient_by_constant`).
void divide_by_constants(Draft& draft, const ContractionRules& rules);

}  // namespace wedjat::kernel
