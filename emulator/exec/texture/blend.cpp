#include "emulator/exec/texture/blend.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>

#include "emulator/exec/texture/sums.h"

namespace wedjat::exec {

using memory::ArrayShape;
using memory::ChannelFormat;

namespace {

struct PlaneSum {
  std::int64_t sum = 0;  // in 2^(exponent - guard - 8)
  int exponent = std::numeric_limits<int>::min();
};

struct Special {
  bool nan = false, positive = false, negative = false;  // an infinity
  bool all_minus = true;                                 // no term has sign +

  void see(std::uint32_t single) {
    const bool minus = single >> 31;
    all_minus = all_minus && minus;
    if ((single & 0x7fffffff) > 0x7f800000) nan = true;
    if ((single & 0x7fffffff) == 0x7f800000) (minus ? negative : positive) = true;
  }
};

template <class Format>
PlaneSum plane_sum(const Plane& plane, const std::array<std::uint32_t, 4>& texel) {
  PlaneSum result;
  std::array<Term, 4> terms;
  for (unsigned i = 0; i < plane.size(); ++i) {
    if (plane[i].weight == 0) continue;
    terms[i] = Format::term(texel[i]);
    if (terms[i].significand != 0) result.exponent = std::max(result.exponent, terms[i].exponent);
  }
  for (unsigned i = 0; i < plane.size(); ++i) {
    if (terms[i].significand == 0) continue;
    const int down = result.exponent - terms[i].exponent + 23 - Format::guard;
    const std::int64_t magnitude = std::abs(terms[i].significand);
    const std::int64_t aligned = down < 0 ? magnitude << -down : down < 32 ? magnitude >> down : 0;
    const std::int64_t product = aligned * plane[i].weight;
    result.sum += terms[i].significand < 0 ? -product : product;
  }
  return result;
}

// What lies below is cut off.
std::int64_t moved(std::int64_t sum, int down) {
  return down < 0 ? sum * (std::int64_t{1} << -down) : sum >> std::min(down, 63);
}

template <class Format>
std::uint32_t sum_of_floats(std::span<const Plane> planes, unsigned c) {
  Special special;
  std::array<PlaneSum, 4> sums;
  int greatest = std::numeric_limits<int>::min();
  for (unsigned p = 0; p < planes.size(); ++p) {
    std::array<std::uint32_t, 4> texel{};
    for (unsigned i = 0; i < 4; ++i) {
      if (planes[p][i].texel == nullptr) continue;
      texel[i] = channel_pattern<Format::format>(planes[p][i].texel, c);
      special.see(texel[i]);
    }
    if (special.nan || special.positive || special.negative) continue;
    sums[p] = plane_sum<Format>(planes[p], texel);
    greatest = std::max(greatest, sums[p].exponent);
  }
  if (special.nan || (special.positive && special.negative)) return Format::nan;
  if (special.positive || special.negative) return special.positive ? 0x7f800000 : 0xff800000;
  const std::uint32_t zero = special.all_minus ? 0x80000000 : 0;
  if (greatest == std::numeric_limits<int>::min()) return zero;
  const auto result = [&](std::int64_t sum, int unit) {
    return sum == 0 ? zero : rounded<Format>(sum, unit);
  };
  if (planes.size() == 1) return result(sums[0].sum, greatest - Format::guard - 8);
  const auto unit_of = [&](int exponent) { return ((exponent - 1) & ~3) - Format::guard - 7; };
  std::int64_t sum = 0;
  int exponent = std::numeric_limits<int>::min();
  for (unsigned p = 0; p < planes.size(); p += 2) {
    const unsigned end = std::min<unsigned>(p + 2, static_cast<unsigned>(planes.size()));
    const int before = exponent;
    for (unsigned i = p; i < end; ++i) exponent = std::max(exponent, sums[i].exponent);
    if (sum != 0) sum = moved(sum, unit_of(exponent) - unit_of(before));
    for (unsigned i = p; i < end; ++i)
      if (sums[i].sum != 0)
        sum += moved(sums[i].sum, unit_of(exponent) - (sums[i].exponent - Format::guard - 8));
  }
  return result(sum, unit_of(exponent));
}

// In 1/256.
template <ChannelFormat format>
std::int64_t sum_of_integers(std::span<const Plane> planes, unsigned c) {
  std::int64_t sum = 0;
  for (const Plane& plane : planes)
    for (const Corner& corner : plane)
      if (corner.texel != nullptr)
        sum += std::int64_t{static_cast<std::int32_t>(channel_pattern<format>(corner.texel, c))} *
               corner.weight;  // sign extended
  return sum;
}

template <ChannelFormat format>
Channels blend_integers(std::span<const Plane> planes, unsigned channels, Reading reading) {
  Channels result{};
  for (unsigned c = 0; c < channels; ++c) {
    if (reading == Reading::light && c < light_channels(channels)) {
      result[c] = sum_of_floats<SrgbCodes>(planes, c);
      continue;
    }
    const std::int64_t sum = sum_of_integers<format>(planes, c);
    result[c] = reading == Reading::integers ? static_cast<std::uint32_t>((sum + 128) >> 8)
                                             : sum_of_units<format>(sum);
  }
  return result;
}

// Of 32 bits: what lies below is cut off.
template <class Integer>
Channels blend_whole(std::span<const Plane> planes, unsigned channels) {
  Channels result{};
  for (unsigned c = 0; c < channels; ++c) {
    std::int64_t sum = 0;
    for (const Plane& plane : planes)
      for (const Corner& corner : plane)
        if (corner.texel != nullptr)
          sum += std::int64_t{static_cast<Integer>(channel_pattern<ChannelFormat::u32>(corner.texel, c))} *
                 corner.weight;
    result[c] = static_cast<std::uint32_t>(sum >> 8);
  }
  return result;
}

template <class Format>
Channels blend_floats(std::span<const Plane> planes, unsigned channels) {
  Channels result{};
  for (unsigned c = 0; c < channels; ++c) result[c] = sum_of_floats<Format>(planes, c);
  return result;
}

}  // namespace

Channels blend(std::span<const Plane> planes, const ArrayShape& shape, Reading reading) {
  using enum ChannelFormat;
  switch (shape.format) {
    case f32:
      return blend_floats<Singles>(planes, shape.channels);
    case f16:
      return blend_floats<Halves>(planes, shape.channels);
    case u8:
      return blend_integers<u8>(planes, shape.channels, reading);
    case s8:
      return blend_integers<s8>(planes, shape.channels, reading);
    case u16:
      return blend_integers<u16>(planes, shape.channels, reading);
    case s16:
      return blend_integers<s16>(planes, shape.channels, reading);
    case u32:
      return blend_whole<std::uint32_t>(planes, shape.channels);
    case s32:
      return blend_whole<std::int32_t>(planes, shape.channels);
  }
  return {};
}

}  // namespace wedjat::exec
