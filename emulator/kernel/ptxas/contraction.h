// Which unmarked multiplications and additions become one fused instruction, as ptxas 13.0 decides it for
// sm_90:
//   * A product (no rounding modifier, .sat or guard) goes into sums and differences of its own type and .ftz
//   (they may have .sat and a guard), through moves and negations, a square through abs, too, if every use of
//   its value is as one operand of such a sum, in the same straight run of instructions. If one is not, none
//   is.
//   * A straight run goes on through labels and unconditional branches, and ends at conditional ones, calls,
//   fences, guarded accesses of
//     memory and barriers, and instructions that become branches (division, square root, 64-bit remainder:
//     the profile's list).
//   * A product of a literal, a kernel parameter or a .const variable is computed anew wherever it is needed:
//   it may be in any block.
//   * Where both operands are products: first of all those with one use, in program order, then the others;
//   of two the one with fewer
//     uses, then the first operand. The other one has become an operand of an fma: none of its sums that are
//     left is contracted.
// Which instructions are products, sums and so on: semantics/profiles/sm_90_contraction.psem.
#pragma once
#include "emulator/kernel/draft/draft.h"
#include "emulator/kernel/forms/form_table.h"
#include "emulator/kernel/ptxas/contract.h"
#include "emulator/kernel/ptxas/contraction_rules.h"

namespace wedjat::kernel {

/// Replaces sums by the fused instruction and drops products that nobody else uses. The profile and its
/// README hold the evidence.
void contract(Draft& draft, Contract how, const ContractionRules& rules, const FormTable& table);

}  // namespace wedjat::kernel
