// An exact sum to the format of the result, eight results at a time.
#pragma once
#include <bit>
#include <cstdint>

namespace wedjat::exec::matrix {

using Eight64 = double __attribute__((ext_vector_type(8)));
using Eight64Bits = std::int64_t __attribute__((ext_vector_type(8)));
using Eight32 = float __attribute__((ext_vector_type(8)));
using Eight32Bits = std::int32_t __attribute__((ext_vector_type(8)));

/// Truncated to `significant` bits (of a subnormal: to the same last place as the least normal); every zero
/// is +0; infinity from 2^128 on.
[[gnu::always_inline]] inline Eight32Bits truncated_f32(Eight64 x, std::uint32_t significant) {
  Eight32Bits nearest = reinterpret_cast<Eight32Bits>(__builtin_convertvector(x, Eight32));
  const Eight64 back = __builtin_convertvector(reinterpret_cast<Eight32>(nearest), Eight64);
  const Eight64 magnitude = __builtin_elementwise_abs(x);
  // One step back where rounding to nearest went up, but not from an infinity that is one.
  const Eight64Bits up = (__builtin_elementwise_abs(back) > magnitude) & (magnitude < 0x1p128);
  nearest += __builtin_convertvector(up, Eight32Bits);
  nearest &= static_cast<std::int32_t>(~0u << (24 - significant));
  return (nearest & 0x7fffffff) == 0 ? Eight32Bits{} : nearest;
}

/// To nearest even; every zero is +0; infinity from 65520 on.
[[gnu::always_inline]] inline Eight32Bits nearest_f16(Eight64 x) {
  const Eight64Bits field = reinterpret_cast<Eight64Bits>(x) >> 52 & 0x7ff;
  // The last place: 10 below the leading bit, at least 2^-24.
  const Eight64Bits place = __builtin_elementwise_max(field, Eight64Bits{} + (1023 - 14)) - 10;
  const Eight64 magic = reinterpret_cast<Eight64>(((place + 52) << 52) + (std::int64_t{1} << 51));
  const Eight64 rounded = (x + magic) - magic;
  const Eight32Bits bits = reinterpret_cast<Eight32Bits>(__builtin_convertvector(rounded, Eight32));
  const Eight32Bits magnitude = bits & 0x7fffffff, sign = bits >> 16 & 0x8000;
  const Eight32Bits small =
      __builtin_convertvector(reinterpret_cast<Eight32>(magnitude) * 0x1p24f, Eight32Bits);
  const Eight32Bits normal = (magnitude >> 13) - (112 << 10);
  Eight32Bits result = magnitude < (113 << 23) ? small : normal;
  result = magnitude >= (143 << 23) ? Eight32Bits{} + 0x7c00 : result;
  return magnitude == 0 ? Eight32Bits{} : result | sign;
}

}  // namespace wedjat::exec::matrix
