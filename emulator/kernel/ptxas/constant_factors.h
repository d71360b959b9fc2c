// Products with a constant that ptxas makes something else before it contracts:
//   * A quotient by a constant becomes a product with the constant's reciprocal, correctly rounded.
//   * x * 1 becomes x, and x * -1 becomes -x; .ftz ones stay, but are not contracted. Not with -fmad false.
#pragma once
#include "emulator/kernel/draft/draft.h"
#include "emulator/kernel/forms/form_table.h"
#include "emulator/kernel/ptxas/contract.h"
#include "emulator/kernel/ptxas/contraction_rules.h"

namespace wedjat::kernel {

void rewrite_constant_factors(Draft& draft, Contract how, const ContractionRules& rules,
                              const FormTable& table);

}  // namespace wedjat::kernel
