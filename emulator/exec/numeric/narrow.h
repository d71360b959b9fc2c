// Rounds a float pattern to a format with a shorter fraction, in integer arithmetic: every mode, independent of the host's environment.
#pragma once
#include <type_traits>

#include "emulator/exec/numeric/float_bits.h"

namespace wedjat::exec::numeric {

enum class Mode { rn, rz, rm, rp, rna };

namespace detail {

// Should a discarded `rest` (of which `half` is one half) round the magnitude up?
template <Mode mode, class U>
U rounds_up(U quotient, U rest, U half, bool negative) {
  if constexpr (mode == Mode::rn) return U((rest + (quotient & 1)) > half);
  if constexpr (mode == Mode::rna) return U(rest >= half);
  if constexpr (mode == Mode::rm) return U(negative && rest != 0);
  if constexpr (mode == Mode::rp) return U(!negative && rest != 0);
  return 0;
}

template <class F, Mode mode>
constexpr Bits<F> overflow_of(bool negative) {
  if constexpr (mode == Mode::rz) return Bits<F>(F::infinity - 1);
  if constexpr (mode == Mode::rm) return Bits<F>(negative ? F::infinity : F::infinity - 1);
  if constexpr (mode == Mode::rp) return Bits<F>(negative ? F::infinity - 1 : F::infinity);
  return F::infinity;
}

}  // namespace detail

// F: the narrower format; S: the format of `x` (f32 or f64). A NaN becomes F's canonical NaN.
template <class F, Mode mode, class S>
Bits<F> narrow(Bits<S> x) {
  using U = Bits<S>;
  constexpr int dropped = S::fraction_bits - F::fraction_bits;
  const bool negative = (x & S::sign) != 0;
  const U biased = U((x & S::magnitude) >> S::fraction_bits);
  const U significand = U((x & S::fraction) | (biased != 0 ? S::fraction + 1 : U(0)));
  // The exponent in F's bias; below 1 the result is subnormal and loses further bits.
  using I = std::conditional_t<sizeof(U) == 8, s64, s32>;
  const I exponent = I(biased != 0 ? biased : U(1)) - (S::bias - F::bias);
  const I deficit = exponent < 1 ? 1 - exponent : I(0);
  const I lost = deficit < F::fraction_bits + 2 ? deficit : I(F::fraction_bits + 2);
  const U shift = U(dropped + lost);
  const U quotient = significand >> shift;
  const U rest = significand & ((U(1) << shift) - 1);
  const U up = detail::rounds_up<mode>(quotient, rest, U(U(1) << (shift - 1)), negative);
  const U field = U(exponent < 1 ? I(0) : exponent - 1) << F::fraction_bits;
  const U rounded = field + quotient + up;
  const U overflow = detail::overflow_of<F, mode>(negative);
  const U finite = rounded >= F::infinity ? overflow : rounded;
  const U special = (x & S::magnitude) > S::infinity ? U(F::canonical_nan) : U(F::infinity);
  const U result = biased == (S::infinity >> S::fraction_bits) ? special : finite;
  const U sign = (x & S::magnitude) > S::infinity || !negative ? U(0) : U(F::sign);
  return Bits<F>(result | sign);
}

// f32 to tf32: 13 fraction bits less, kept at the top of the word.
template <Mode mode>
u32 narrow_tf32(u32 x) {
  const u32 magnitude = x & f32::magnitude, kept = magnitude >> 13, rest = magnitude & 0x1fffu;
  const u32 up = detail::rounds_up<mode>(kept, rest, u32(0x1000), (x & f32::sign) != 0);
  const u32 rounded = (kept + up) << 13;
  return magnitude > f32::infinity ? f32::canonical_nan : magnitude == f32::infinity ? x : rounded | (x & f32::sign);
}

}  // namespace wedjat::exec::numeric
