// Products with a constant that ptxas makes something else before it contracts:
//   * A quotient by a constant becomes a product with the constant's reciprocal, correctly rounded.
//   * x * 1 becomes x, and x * -1 becomes -x; .ftz ones stay, but are not contracted. Not with -fmad false.
#pragma once
#include "emulator/kernel/contract.h"
#include "emulator/kernel/contraction_rules.h"
#include "emulator/kernel/draft.h"
#include "emulator/kernel/form_table.h"

namespace wedjat::kernel {

void rewrite_constant_factors(Draft& draft, Contract how, const ContractionRules& rules,
                              const FormTable& table);

}  // namespace wedjat::kernel
