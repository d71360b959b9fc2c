// Integer helpers that have no operator in C++. All are total: no argument is undefined.
#pragma once
#include <type_traits>

#include "emulator/exec/numeric/types.h"

namespace wedjat::exec::numeric {

template <class T>
using Unsigned = std::conditional_t<sizeof(T) == 16, u128, std::conditional_t<sizeof(T) == 8, u64, u32>>;

// Truncating quotient and its remainder; a divisor of 0 gives 0. 32-bit quotients go through double, which
// holds them exactly (a wrong quotient would need |a| >= 2^53) and has a vector division.
inline s64 quotient32(s64 a, s64 b) {
  const double ratio = static_cast<double>(a) / static_cast<double>(b == 0 ? 1 : b);
  return b == 0 ? 0 : static_cast<s64>(ratio);
}
inline s64 remainder32(s64 a, s64 b) { return b == 0 ? 0 : a - quotient32(a, b) * b; }
// The least value divided by -1 wraps; the host would trap.
template <class T>
T quotient(T a, T b) {
  constexpr bool is_signed = T(-1) < T(0);
  const bool by_minus_one = is_signed && b == T(-1);
  const T divided = a / (b == 0 || by_minus_one ? T(1) : b);
  return b == 0 ? T(0) : by_minus_one ? T(~Unsigned<T>(a) + 1) : divided;
}
template <class T>
T remainder(T a, T b) {
  constexpr bool is_signed = T(-1) < T(0);
  const bool by_minus_one = is_signed && b == T(-1);
  return a % (b == 0 || by_minus_one ? T(1) : b);
}
template <class T>
T least(T a, T b) {
  return b < a ? b : a;
}
template <class T>
T greatest(T a, T b) {
  return a < b ? b : a;
}
template <class T>
T bounded(T x, T low, T high) {
  return least(greatest(x, low), high);
}

inline s32 popcount(u32 x) { return __builtin_popcount(x); }
inline s32 popcount(u64 x) { return __builtin_popcountll(x); }
inline s32 popcount(u128 x) { return popcount(u64(x)) + popcount(u64(x >> 64)); }
// Index of the highest set bit; -1 for 0.
inline s32 highest_bit(u32 x) { return x == 0 ? -1 : 31 - __builtin_clz(x); }
inline s32 highest_bit(u64 x) { return x == 0 ? -1 : 63 - __builtin_clzll(x); }
inline s32 highest_bit(u128 x) { return x >> 64 != 0 ? 64 + highest_bit(u64(x >> 64)) : highest_bit(u64(x)); }
inline u32 reverse(u32 x) { return __builtin_bitreverse32(x); }
inline u64 reverse(u64 x) { return __builtin_bitreverse64(x); }

// Shifts by any amount: what leaves the word is lost, as on the infinite two's complement pattern.
template <class U>
U shift_left(U x, u64 by) {
  constexpr u64 width = 8 * sizeof(U);
  return by < width ? U(x << (by & (width - 1))) : U(0);
}
// Floors: a negative x keeps its sign.
template <class T>
T shift_right(T x, u64 by) {
  constexpr u64 width = 8 * sizeof(T);
  constexpr bool is_unsigned = T(-1) > T(0);  // std::is_signed does not know __int128
  const T all_gone = is_unsigned ? T(0) : T(x >> (width - 1));
  return by < width ? T(x >> (by & (width - 1))) : all_gone;
}

// A signed value of `width` bits from the low bits of x.
template <int width>
s32 sign_extend(u32 x) {
  return s32(x << (32 - width)) >> (32 - width);
}
template <int width>
s64 sign_extend(u64 x) {
  return s64(x << (64 - width)) >> (64 - width);
}
template <int width>
s128 sign_extend(u128 x) {
  return s128(x << (128 - width)) >> (128 - width);
}

}  // namespace wedjat::exec::numeric
