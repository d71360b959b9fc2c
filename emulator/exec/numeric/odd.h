// Exact operations rounded to odd: the last bit is set when anything was lost, so rounding the result again
// to a format with at least two bits less, in any mode, equals rounding the exact value once. Float for
// operations on f16, double for bf16 and f32: neither overflows nor loses anything below its least exponent
// there. Needs the round-to-nearest environment.
#pragma once
#include <type_traits>

#include "emulator/exec/numeric/format.h"

namespace wedjat::exec::numeric::odd {

template <class R>
using Pattern = std::conditional_t<sizeof(R) == 4, u32, u64>;

// `nearest` is the rounded value, `error` has the sign of (exact - nearest); it is NaN where nearest is
// infinite or NaN.
template <class R>
R adjust(R nearest, R error) {
  using Bits = Pattern<R>;
  const bool inexact = (error < 0) | (error > 0);
  const bool away = inexact & ((error < 0) != (nearest < 0));
  return std::bit_cast<R>((std::bit_cast<Bits>(nearest) - Bits(away)) | Bits(inexact));
}

inline float fused_host(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double fused_host(double a, double b, double c) { return __builtin_fma(a, b, c); }
inline float root_host(float a) { return __builtin_sqrtf(a); }
inline double root_host(double a) { return __builtin_sqrt(a); }

template <class R>
R add(R a, R b) {
  const R sum = a + b;
  const R b_seen = sum - a;
  return adjust(sum, (a - (sum - b_seen)) + (b - b_seen));
}
template <class R>
R subtract(R a, R b) {
  return add(a, -b);
}
// Rounding down, a sum that is exactly zero is -0 unless both terms are +0: the one case in which the mode
// matters before rounding.
template <class R>
R add_down(R a, R b) {
  using Bits = Pattern<R>;
  constexpr Bits sign = Bits(1) << (8 * sizeof(R) - 1);
  const R sum = add(a, b);
  return sum == 0 ? std::bit_cast<R>((std::bit_cast<Bits>(a) | std::bit_cast<Bits>(b)) & sign) : sum;
}
// Two significands of half R's length: the product is exact.
template <class R>
R multiply(R a, R b) {
  return a * b;
}
template <class R>
R fused(R a, R b, R c) {
  return add(a * b, c);
}
template <class R>
R fused_down(R a, R b, R c) {
  return add_down(a * b, c);
}
template <class R>
R subtract_down(R a, R b) {
  return add_down(a, -b);
}
template <class R>
R divide(R a, R b) {
  const R quotient = a / b;
  const R rest = fused_host(-quotient, b, a);
  return adjust(quotient, b < 0 ? -rest : rest);
}
template <class R>
R root(R a) {
  const R root = root_host(a);
  return adjust(root, fused_host(-root, root, a));
}

// In any environment: a double, itself exact or rounded to odd.
inline float to_float(float x) { return x; }
inline float to_float(double x) {
  const float near = static_cast<float>(x);
  const double back = near;
  const u32 away = u32(__builtin_fabs(back) > __builtin_fabs(x));
  const u32 inexact = u32(back < x) | u32(back > x);
  return std::bit_cast<float>((std::bit_cast<u32>(near) - away) | inexact);
}

// 64-bit integers lose at most 11 bits: fold them into the last one that stays.
inline double of_unsigned(u64 x) {
  const u64 folded = (x & ~u64(0x7ff)) | u64((x & 0x7ff) != 0) << 11;
  return static_cast<double>(x >> 53 != 0 ? folded : x);
}
inline double of_signed(s64 x) {
  const u64 magnitude = x < 0 ? 0 - u64(x) : u64(x);
  const double real = of_unsigned(magnitude);
  return x < 0 ? -real : real;
}

}  // namespace wedjat::exec::numeric::odd
