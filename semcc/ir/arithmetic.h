// The exact meaning of the integer operations: what the checker folds with and the judge computes with.
#pragma once
#include "semcc/ir/expr.h"

namespace semcc::ir {

// Add … Max with two arguments (Shl, Shr: a count of at most `widest_shift`); Neg, Not, Abs, PopCount,
// HighestBit with one.
mpz_class compute(Op op, const mpz_class& a, const mpz_class& b = 0);
inline constexpr unsigned widest_shift = 256;

mpz_class slice_bits(const mpz_class& value, unsigned high,
                     unsigned low);  // of the two's complement pattern, unsigned
mpz_class reverse_bits(const mpz_class& value, unsigned width);
mpz_class wrap_to(const mpz_class& value, const Type& type);
mpz_class clamp_to(const mpz_class& value, const Type& type);

}  // namespace semcc::ir
