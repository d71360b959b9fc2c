// Factors of aligned products: values that hold them exactly, and the exponents they are aligned by.
#pragma once
#include <bit>
#include <cstdint>

#include "emulator/exec/matrix/aligned.h"

namespace wedjat::exec::matrix {

/// Added to any other exponent it is less than every floor.
inline constexpr std::int16_t no_exponent = -8000;

struct FormatTraits {
  int exponent_bits, fraction_bits, unread = 0;
  bool infinities = true;
};

constexpr FormatTraits traits_of(Format format) {
  switch (format) {
    case Format::e4m3:
      return {4, 3, 0, false};
    case Format::e5m2:
      return {5, 2};
    case Format::f16:
      return {5, 10};
    case Format::bf16:
      return {8, 7};
    case Format::tf32:
      return {8, 10, 13};
    case Format::f32:
      return {8, 23};
  }
  return {};
}

/// Holds every product of two factors, and its multiple by the powers of two that align it.
template <Format format>
using Carrier = std::conditional_t<format == Format::bf16 || format == Format::tf32, double, float>;

template <Format format>
using Pattern = std::conditional_t<
    format == Format::e4m3 || format == Format::e5m2, std::uint8_t,
    std::conditional_t<format == Format::f16 || format == Format::bf16, std::uint16_t, std::uint32_t>>;

/// One factor. `special`: infinity or NaN, then `value` is 0.
template <class Value>
struct Factor {
  Value value;
  std::int16_t exponent;  ///< not normalised: a subnormal has the least one; no_exponent for zero
  bool special;
};

template <Format format>
[[gnu::always_inline]] inline Factor<Carrier<format>> factor_of(std::uint32_t pattern) {
  constexpr FormatTraits traits = traits_of(format);
  constexpr int bias = (1 << (traits.exponent_bits - 1)) - 1;
  constexpr std::uint32_t top = (1u << traits.exponent_bits) - 1,
                          fraction_mask = (1u << traits.fraction_bits) - 1;
  const std::uint32_t bits = pattern >> traits.unread;
  const std::uint32_t field = bits >> traits.fraction_bits & top, fraction = bits & fraction_mask;
  const std::uint32_t sign = bits >> (traits.exponent_bits + traits.fraction_bits) & 1;
  const bool special = field == top && (traits.infinities || fraction == fraction_mask);
  const bool zero = (field | fraction) == 0;
  float value;
  if constexpr (traits.exponent_bits == 8) {
    value = std::bit_cast<float>(special ? 0u : bits << (23 - traits.fraction_bits));
  } else {
    // The exponent of f32 has room for every subnormal: the fraction as an integer, scaled.
    const std::uint32_t normal = (field + 127 - bias) << 23 | fraction << (23 - traits.fraction_bits);
    constexpr float unit = 1.0f / static_cast<float>(1u << (bias - 1 + traits.fraction_bits));
    const std::uint32_t small =
        std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int32_t>(fraction)) * unit);
    value = std::bit_cast<float>(special ? 0u : (field == 0 ? small : normal) | sign << 31);
  }
  const int exponent = static_cast<int>(field == 0 ? 1 : field) - bias;
  return {static_cast<Carrier<format>>(value), static_cast<std::int16_t>(zero ? no_exponent : exponent),
          special};
}

}  // namespace wedjat::exec::matrix
