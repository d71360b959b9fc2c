// Loops that ptxas unrolls before it contracts: a product of one iteration may then be fused with a sum of
// the next one, if both are in the same copy of the body.
//   * A loop of one block that counts to a bound in steps of a constant is unrolled if its body costs less
//     than 50 (22 without loads; each of shared memory adds five or six): one for an instruction, two for an
//     access of memory, more for what becomes several.
//   * What only the end of the loop needs is done by the last copy alone.
//   * If the number of iterations is known, there are as many copies and no loop (more costly ones, which
//     become loops again, are left alone here).
//   * Else four iterations run at a time while four are left, then two, then one.
//   * `.pragma "nounroll"`, branches, and instructions that become branches prevent it.
// Divisions of integers of 32 bits, guarded accesses, atomics and bar.sync do not prevent it, and loops with
// them are marked; nothing is contracted across them here, so those are not unrolled. What they cost was
// measured by how many mad.lo.s32 a loop with a load may have beside them (43 alone, ptxas 13.0.88): a guard
// of an access and bar.sync one, an update by an integer of 32 bits that lanes can do together ten, others
// one. Loops with rem.u64, div.rn.f32, sqrt.rn.f32 stay. Known to be wrong: a sum of the next iteration that
// ptxas fuses is rounded twice here.
#pragma once
#include "emulator/kernel/draft/draft.h"
#include "emulator/kernel/forms/form_table.h"
#include "emulator/kernel/ptxas/contraction_rules.h"

namespace wedjat::kernel {

/// Says of the blocks of all loops that ptxas unrolls that it does.
void mark_unrolled_loops(Draft& draft, const ContractionRules& rules);

/// Unrolls the loops in which that may change what is contracted, and no others.
void unroll_carrying_loops(Draft& draft, const ContractionRules& rules, const FormTable& table);

}  // namespace wedjat::kernel
