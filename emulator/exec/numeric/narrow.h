// Rounds f32 to a format with a shorter fraction, in integer arithmetic: every mode, independent of the
// host's environment; f16 to nearest by the processor where it can. Wider sources come as f32 rounded to odd
// (odd.h). A NaN becomes the format's canonical NaN.
#pragma once
#include <type_traits>

#include "emulator/exec/numeric/float_bits.h"

namespace wedjat::exec::numeric {

enum class Mode { rn, rz, rm, rp, rna };

namespace detail {

// `x` without its lowest `by` bits, rounded as a magnitude: what is added first carries into the kept bits
// exactly when it should.
template <Mode mode>
u32 shift_rounded(u32 x, u32 by, bool negative) {
  const u32 unit = 1u << by, half = unit >> 1;
  if constexpr (mode == Mode::rn) return (x + (half - 1) + (x >> by & 1)) >> by;
  if constexpr (mode == Mode::rna) return (x + half) >> by;
  if constexpr (mode == Mode::rm) return (x + (negative ? unit - 1 : 0)) >> by;
  if constexpr (mode == Mode::rp) return (x + (negative ? 0 : unit - 1)) >> by;
  return x >> by;
}

template <class F, Mode mode>
u32 overflow_of(bool negative) {
  if constexpr (mode == Mode::rz) return F::infinity - 1u;
  if constexpr (mode == Mode::rm) return negative ? F::infinity : F::infinity - 1u;
  if constexpr (mode == Mode::rp) return negative ? F::infinity - 1u : F::infinity;
  return F::infinity;
}

// A shorter exponent, too.
template <class F, Mode mode>
u32 rebias(u32 magnitude, bool negative) {
  constexpr int dropped = f32::fraction_bits - F::fraction_bits, shift = f32::bias - F::bias;
  constexpr u32 least_normal = u32(shift + 1) << f32::fraction_bits;
  const u32 normal = shift_rounded<mode>(magnitude - (u32(shift) << f32::fraction_bits), dropped, negative);
  // Below F's least normal number the unit is fixed: shift the significand to it. What lies far below keeps a
  // rest.
  const s32 below = shift + 1 - s32(magnitude >> f32::fraction_bits);
  const s32 lost = below < F::fraction_bits + 2 ? below : F::fraction_bits + 2;
  const u32 by = u32(dropped + (lost < 0 ? 0 : lost));
  const u32 significand = magnitude == 0 ? 0 : (magnitude & f32::fraction) | (f32::fraction + 1);
  const u32 subnormal = shift_rounded<mode>(significand, by, negative);
  const u32 finite = magnitude < least_normal ? subnormal : normal;
  return finite >= F::infinity ? overflow_of<F, mode>(negative) : finite;
}

}  // namespace detail

template <class F, Mode mode>
Bits<F> narrow_shifted(float real) {
  const u32 x = std::bit_cast<u32>(real), magnitude = x & f32::magnitude;
  const bool negative = (x & f32::sign) != 0;
  constexpr int dropped = f32::fraction_bits - F::fraction_bits;
  u32 finite;
  // With the same exponent, carries, subnormals and overflow come out right by themselves.
  if constexpr (F::bias == f32::bias)
    finite = detail::shift_rounded<mode>(magnitude, dropped, negative);
  else
    finite = detail::rebias<F, mode>(magnitude, negative);
  const u32 sign = (x >> 16) & F::sign;
  const u32 ordered = (magnitude == f32::infinity ? u32(F::infinity) : finite) | sign;
  return Bits<F>(magnitude > f32::infinity ? u32(F::canonical_nan) : ordered);
}

template <class F, Mode mode>
Bits<F> narrow(float real) {
#ifdef WEDJAT_HALF
  if constexpr (std::is_same_v<F, f16> && mode == Mode::rn)
    return canonical<f16>(__builtin_bit_cast(u16, static_cast<WEDJAT_HALF>(real)));
#endif
  return narrow_shifted<F, mode>(real);
}

// f32 to tf32: 13 fraction bits less, kept at the top of the word.
template <Mode mode>
u32 narrow_tf32(float real) {
  const u32 x = std::bit_cast<u32>(real), magnitude = x & f32::magnitude;
  const u32 rounded = detail::shift_rounded<mode>(magnitude, 13, (x & f32::sign) != 0) << 13;
  const u32 ordered = (magnitude == f32::infinity ? magnitude : rounded) | (x & f32::sign);
  return magnitude > f32::infinity ? f32::canonical_nan : ordered;
}

}  // namespace wedjat::exec::numeric
