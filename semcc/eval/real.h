// Exact reals with infinities, NaN and signed zeros, and their rounding to a float format, after IEEE 754.
#pragma once
#include <gmpxx.h>

#include "semcc/ir/expr.h"

namespace semcc::eval {

struct FormatRecord {
  unsigned exponent_bits, fraction_bits;
  unsigned low_zeros = 0;  // tf32 sits at the top of its word
  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  unsigned width() const { return 1 + exponent_bits + fraction_bits; }
  mpz_class infinity() const {
    return ((mpz_class(1) << exponent_bits) - 1) << fraction_bits;
  }  // without low zeros
};

FormatRecord record_of(ir::Format format);  // throws std::invalid_argument for formats without arithmetic
mpz_class canonical_nan(ir::Format format);

struct Real {
  enum class Class { Nan, Infinite, Finite } kind = Class::Finite;
  bool negative = false;  // also of zero
  mpq_class magnitude;    // Finite: >= 0

  static Real nan() { return {Class::Nan, false, 0}; }
  static Real infinite(bool negative) { return {Class::Infinite, negative, 0}; }
  static Real of(const mpz_class& integer) { return {Class::Finite, integer < 0, mpq_class(abs(integer))}; }
  bool is_zero() const { return kind == Class::Finite && magnitude == 0; }
  mpq_class signed_value() const { return negative ? mpq_class(-magnitude) : magnitude; }
};

Real decode(const mpz_class& pattern, ir::Format format);

// `rounding` decides only the sign of an exact zero sum.
Real add(const Real& a, const Real& b, ir::Rounding rounding);
Real negated(Real a);
Real multiply(const Real& a, const Real& b);
Real divide(const Real& a, const Real& b);
// A rational on the same side of every number of at most 64 significant bits, and of every midpoint of two,
// as the root itself.
Real square_root(const Real& a);
Real integral(const Real& a, ir::Rounding rounding);  // rni rzi rmi rpi

// The pattern; NaN gives the canonical one.
mpz_class round(const Real& value, ir::Format format, ir::Rounding rounding);

}  // namespace semcc::eval
