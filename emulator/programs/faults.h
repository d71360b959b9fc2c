// Faults of ptxas that are known (tests/emulator/miscompiles has a kernel of each), and what programs do
// without so that these do not hide others. Each function avoids one, and nothing else where that can be said
// of a form and its operands.
#pragma once
#include <string>

#include "emulator/kernel/forms/form.h"
#include "emulator/programs/pools.h"

namespace wedjat::programs {

/// All or part of its result is written in lanes whose guard is false.
bool loses_guard(const kernel::Form& form);
/// Under a guard, beside a carry, ptxas does not end.
bool hangs_under_guard(const kernel::Form& form);
/// Of a literal that decides, it takes the wrong value.
bool decides_wrongly(const kernel::Form& form);
/// Bits of the other half stay above its result.
bool leaves_more(const kernel::Form& form);
/// Its result registers are written before all of C is read.
bool writes_early(const kernel::Form& form);
/// What the compiler knows to be a literal becomes half of it something else.
bool misreads_literals(const kernel::Form& form, const kernel::OperandSpec& operand);
/// Beside another half of a register its result takes that one's place.
bool takes_place_beside(const kernel::Form& form);
/// It combines its comparison with a predicate, and takes the other value of one that a branch decided.
bool inverts_condition(const kernel::Form& form);
/// As the guard of an instruction behind a branch it no longer flushes.
bool forgets_to_flush(const kernel::Form& form);
/// Of a literal, it decides a guard in a function, and ptxas ends with a segmentation fault.
bool crashes_of_literal(const kernel::Form& form);
/// What an unsigned instruction reads has other upper bits.
bool extends_twice(const kernel::Form& form);
/// In a branch that its own operand decides, it is carried out once more, by those who are there.
bool reduces_again(const kernel::Form& form);
/// From a position beyond the register that the compiler works out it takes -1.
bool extracts_beyond(const kernel::Form& form);
/// A predicate that lives across it is another one behind it, in a function that is called.
bool fails_in_functions(const kernel::Form& form);
/// Its predicate is taken to be the same for all lanes.
bool hides_divergence(const kernel::Form& form);
/// Of literals, it is left out where a predicate is known.
bool forgets_literal(const kernel::Form& form, unsigned operand);
/// Two names of one register, or two literals, and an `xor` behind it, become a wrong table.
bool confuses_names(const kernel::Form& form);
/// Where its result has to go, since what reads bits takes it for something else: 64-bit shifts what `set`
/// gives as f32 and `cvt` as tf32, 16-bit ones what `cnot` gives; stores of bytes convert what `set` gives as
/// f16 or bf16; `sub.cc.s64` borrows from what `abs.s64` gives. Null: where its type says.
const Pool* pool_of_misread(const kernel::Form& form);
/// In a loop.
bool fails_in_loops(const kernel::Form& form);
/// Takes a wrong low word behind an addition of two literals.
bool loses_carry_of_literals(const kernel::Form& form);

}  // namespace wedjat::programs
