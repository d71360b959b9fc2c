// MPFR as the reference for one rounded operation in an IEEE format.
#pragma once
#include <mpfr.h>

#include <cmath>

#include "emulator/exec/numeric/numeric.h"

namespace wedjat::exec::numeric::test {

struct Number {
  mpfr_t value;
  explicit Number(int precision) { mpfr_init2(value, precision); }
  ~Number() { mpfr_clear(value); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
};

inline mpfr_rnd_t rounding_of(Mode mode) {
  switch (mode) {
    case Mode::rz:
      return MPFR_RNDZ;
    case Mode::rm:
      return MPFR_RNDD;
    case Mode::rp:
      return MPFR_RNDU;
    default:
      return MPFR_RNDN;
  }
}

// The pattern of a double that F holds exactly.
template <class F>
u64 pattern_of(double x) {
  const u64 sign = std::signbit(x) ? u64(F::sign) : 0;
  if (std::isnan(x)) return F::canonical_nan;
  if (std::isinf(x)) return sign | F::infinity;
  if (x == 0) return sign;
  int exponent = std::ilogb(x);
  if (exponent < 1 - F::bias) exponent = 1 - F::bias;
  const u64 significand = static_cast<u64>(std::ldexp(std::fabs(x), F::fraction_bits - exponent));
  return sign | ((u64(exponent + F::bias - 1) << F::fraction_bits) + significand);
}

// `operation(result, rounding)` computes with unlimited exponents and returns MPFR's ternary value.
template <class F, class Operation>
u64 reference(Mode mode, const Operation& operation) {
  static thread_local Number result(F::fraction_bits + 1);
  const mpfr_rnd_t rounding = rounding_of(mode);
  int ternary = operation(result.value, rounding);
  const mpfr_exp_t least = mpfr_get_emin(), greatest = mpfr_get_emax();
  mpfr_set_emin(2 - F::bias - F::fraction_bits);
  mpfr_set_emax(F::bias + 1);
  ternary = mpfr_check_range(result.value, ternary, rounding);
  mpfr_subnormalize(result.value, ternary, rounding);
  const double exact = mpfr_get_d(result.value, MPFR_RNDN);
  mpfr_set_emin(least);
  mpfr_set_emax(greatest);
  return pattern_of<F>(exact);
}

}  // namespace wedjat::exec::numeric::test
