// Exact operations on doubles that hold f32 or narrower values, rounded to odd: the last bit is set when anything was lost, so rounding
// the result again to at most 51 bits, in any mode, equals rounding the exact value once. Needs the round-to-nearest environment.
#pragma once
#include "emulator/exec/numeric/format.h"

namespace wedjat::exec::numeric::odd {

// `nearest` is the rounded value, `error` has the sign of (exact - nearest); it is NaN where nearest is infinite or NaN.
inline double adjust(double nearest, double error) {
  const u64 bits = std::bit_cast<u64>(nearest);
  const bool inexact = (error < 0) | (error > 0);
  const bool away = inexact & ((error < 0) != (nearest < 0));
  return std::bit_cast<double>((bits - u64(away)) | u64(inexact));
}

inline double add(double a, double b) {
  const double sum = a + b;
  const double b_seen = sum - a;
  return adjust(sum, (a - (sum - b_seen)) + (b - b_seen));
}
inline double subtract(double a, double b) { return add(a, -b); }
// Two significands of 24 bits or fewer: the product is exact.
inline double multiply(double a, double b) { return a * b; }
inline double fused(double a, double b, double c) { return add(a * b, c); }
inline double divide(double a, double b) {
  const double quotient = a / b;
  const double rest = __builtin_fma(-quotient, b, a);
  return adjust(quotient, b < 0 ? -rest : rest);
}
inline double root(double a) {
  const double root = __builtin_sqrt(a);
  return adjust(root, __builtin_fma(-root, root, a));
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
