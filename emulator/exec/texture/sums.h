// The arithmetic of weighed sums, of one channel; without branches, so that loops over lanes become vectors.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>

#include "emulator/exec/texture/srgb.h"
#include "emulator/memory/textures.h"

namespace wedjat::exec {

using memory::ChannelFormat;

// Floats of `significant` bits are summed in fixed point: exact but for what lies `guard` bits below the
// greatest texel of a plane, which is cut off. Planes meet two at a time, with what is there already, at an
// exponent that is a multiple of 4 and one, in two's complement. The sum is rounded to nearest, ties away
// from zero.
struct Term {
  int exponent = 0;
  std::int64_t significand = 0;  // in 2^(exponent - 23); 0: the exponent does not count
};

inline Term of_single(std::uint32_t single) {
  const int field = static_cast<int>(single >> 23 & 255);
  const std::int64_t magnitude = field == 0 ? 0 : (single & 0x7fffff) | 0x800000;  // subnormals are flushed
  return {field - 127, single >> 31 ? -magnitude : magnitude};
}
struct Singles {
  static constexpr ChannelFormat format = ChannelFormat::f32;
  static constexpr int significant = 24, guard = 27;
  static constexpr std::uint32_t nan = 0x7fffffff;
  static Term term(std::uint32_t pattern) { return of_single(pattern); }
};
struct Halves {
  static constexpr ChannelFormat format = ChannelFormat::f16;
  static constexpr int significant = 11, guard = 14;
  static constexpr std::uint32_t nan = 0x7fffe000;
  static Term term(std::uint32_t pattern) { return of_single(pattern); }
};
struct SrgbCodes {  // no bits are kept below those of the greatest
  static constexpr ChannelFormat format = ChannelFormat::u8;
  static constexpr int significant = 11, guard = 7;
  static constexpr std::uint32_t nan = 0;
  static Term term(std::uint32_t code) {
    const Linear light = linear_of_srgb(static_cast<std::uint8_t>(code));
    return {light.exponent, std::int64_t{light.significand} << 16};
  }
};

/// sum 2^unit as a single; results below the least normal number are zero.
template <class Format>
std::uint32_t rounded(std::int64_t sum, std::int64_t unit) {
  constexpr int significant = Format::significant, least = significant == 11 ? -14 : -126,
                greatest = significant == 11 ? 15 : 127;
  const std::uint32_t sign = sum < 0 ? 0x80000000 : 0;
  const std::uint64_t magnitude =
      sum < 0 ? -static_cast<std::uint64_t>(sum) : static_cast<std::uint64_t>(sum);
  std::int64_t drop = 64 - std::countl_zero(magnitude | 1) - significant;
  if (significant == 11) drop = std::max(drop, least - 10 - unit);  // halves below it stay
  drop = std::clamp<std::int64_t>(drop, 0, 63);
  const std::uint64_t kept = (magnitude + (std::uint64_t{1} << drop >> 1)) >> drop;
  const std::int64_t exponent = unit + drop + 63 - std::countl_zero(kept | 1);
  // At most 25 bits are kept: the number as a single, whose significand ends with it.
  const std::uint64_t aligned = kept << std::countl_zero(kept | 1);
  const auto fraction = static_cast<std::uint32_t>(aligned >> 40) & 0x7fffff;
  const std::uint32_t number = static_cast<std::uint32_t>(exponent + 127) << 23 | fraction;
  return sign | (kept == 0 || exponent < -126 ? 0 : exponent > greatest ? 0x7f800000 : number);
}

/// Normalised integers are summed exactly, as 16 bits wide ones, and rounded to nearest, ties up.
template <ChannelFormat format>
std::uint32_t sum_of_units(std::int64_t sum) {
  constexpr bool is_signed = format == ChannelFormat::s8 || format == ChannelFormat::s16;
  if (format == ChannelFormat::u8) sum *= 257;
  if (format == ChannelFormat::s8) sum = sum * 258 + (sum >> 12) * 32;  // 127 becomes 32767
  const std::int64_t steps = std::max<std::int64_t>((sum + 128) >> 8, -32767);
  constexpr double largest = is_signed ? 32767 : 65535;
  return std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<double>(steps) / largest));
}

}  // namespace wedjat::exec
