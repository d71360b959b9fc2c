// What PTX asks of a float's bit pattern: classes, sign operations, the filters .ftz and .sat, ordered
// comparisons.
#pragma once
#include "emulator/exec/numeric/format.h"

namespace wedjat::exec::numeric {

template <class F>
using Bits = typename F::Bits;

template <class F>
bool is_nan(Bits<F> x) {
  return (x & F::magnitude) > F::infinity;
}
template <class F>
bool is_infinite(Bits<F> x) {
  return (x & F::magnitude) == F::infinity;
}
template <class F>
bool is_zero(Bits<F> x) {
  return (x & F::magnitude) == 0;
}
template <class F>
bool is_subnormal(Bits<F> x) {
  return Bits<F>((x & F::magnitude) - 1) < F::fraction;
}
template <class F>
bool is_normal(Bits<F> x) {
  return (x & F::infinity) != 0 && (x & F::infinity) != F::infinity;
}
template <class F>
bool sign_bit(Bits<F> x) {
  return (x & F::sign) != 0;
}

template <class F>
Bits<F> negate(Bits<F> x) {
  return x ^ F::sign;
}
template <class F>
Bits<F> absolute(Bits<F> x) {
  return x & F::magnitude;
}
// PTX order: the sign of `a` on the magnitude of `b`.
template <class F>
Bits<F> copysign(Bits<F> a, Bits<F> b) {
  return Bits<F>((a & F::sign) | (b & F::magnitude));
}

// .ftz: a subnormal becomes the zero of its sign.
template <class F>
Bits<F> flush(Bits<F> x) {
  return (x & F::infinity) == 0 ? Bits<F>(x & F::sign) : x;
}
template <class F>
Bits<F> canonical(Bits<F> x) {
  return is_nan<F>(x) ? F::canonical_nan : x;
}
// .sat: into [+0, 1], NaN to +0. Patterns above infinity are the NaNs and everything negative.
template <class F>
Bits<F> unit_clamp(Bits<F> x) {
  const Bits<F> at_most_one = x < F::one ? x : F::one;
  return x > F::infinity ? Bits<F>(0) : at_most_one;
}

template <class F>
bool equal(Bits<F> a, Bits<F> b) {
  return F::real(a) == F::real(b);
}
template <class F>
bool less(Bits<F> a, Bits<F> b) {
  return F::real(a) < F::real(b);
}
template <class F>
bool less_equal(Bits<F> a, Bits<F> b) {
  return F::real(a) <= F::real(b);
}

}  // namespace wedjat::exec::numeric
