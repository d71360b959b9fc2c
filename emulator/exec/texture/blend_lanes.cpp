#include "emulator/exec/texture/blend_lanes.h"

#include "emulator/exec/texture/sums.h"

namespace wedjat::exec {

namespace {

using Patterns = std::array<LaneRow<std::uint32_t>, 4>;  // of the corners

template <ChannelFormat format>
void load(const std::byte* data, const LaneCorners& corners, unsigned c, Patterns& to) {
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned lane = 0; lane < 32; ++lane)
      to[i][lane] = channel_pattern<format>(data + corners.offset[i][lane], c);
}

// Infinities and NaNs.
std::uint32_t special_lanes(const Patterns& texel) {
  LaneRow<std::uint32_t> special{};
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned lane = 0; lane < 32; ++lane) special[lane] |= (texel[i][lane] & 0x7f800000) == 0x7f800000;
  std::uint32_t lanes = 0;
  for (unsigned lane = 0; lane < 32; ++lane) lanes |= special[lane] << lane;
  return lanes;
}

// As sum_of_floats() of blend.cpp.
template <class Format>
void sum_floats(const Patterns& texel, const LaneCorners& corners, LaneRow<std::uint32_t>& result) {
  constexpr int none = -1024;
  for (unsigned lane = 0; lane < 32; ++lane) {
    std::array<std::int64_t, 4> significand;
    std::array<std::int64_t, 4> exponent;
    std::int64_t greatest = none;
    std::uint32_t minus = 0x80000000;
    for (unsigned i = 0; i < 4; ++i) {
      const Term term = Format::term(texel[i][lane]);
      minus &= texel[i][lane];
      significand[i] = corners.weight[i][lane] == 0 ? 0 : term.significand;
      exponent[i] = significand[i] == 0 ? none : term.exponent;
      greatest = std::max(greatest, exponent[i]);
    }
    std::int64_t sum = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const std::int64_t magnitude = significand[i] < 0 ? -significand[i] : significand[i];
      // Wider by 4 bits, the most that `guard` keeps below a single's last.
      const std::int64_t aligned =
          (magnitude << 4) >> std::min<std::int64_t>(greatest - exponent[i] + 27 - Format::guard, 63);
      const std::int64_t product = aligned * corners.weight[i][lane];
      sum += significand[i] < 0 ? -product : product;
    }
    result[lane] = sum == 0 ? minus : rounded<Format>(sum, greatest - Format::guard - 8);
  }
}

template <ChannelFormat format>
void sum_integers(const Patterns& texel, const LaneCorners& corners, LaneRow<std::uint32_t>& result) {
  for (unsigned lane = 0; lane < 32; ++lane) {
    std::int64_t sum = 0;
    for (unsigned i = 0; i < 4; ++i)
      sum += std::int64_t{static_cast<std::int32_t>(texel[i][lane])} * corners.weight[i][lane];
    result[lane] = sum_of_units<format>(sum);
  }
}

void put(const LaneRow<std::uint32_t>& result, unsigned c, Channels* texel) {
  for (unsigned lane = 0; lane < 32; ++lane) texel[lane][c] = result[lane];
}

template <class Format>
std::uint32_t blend_floats(const std::byte* data, const LaneCorners& corners, unsigned channels,
                           Channels* texel) {
  std::uint32_t special = 0;
  Patterns patterns;
  LaneRow<std::uint32_t> result;
  for (unsigned c = 0; c < channels; ++c) {
    load<Format::format>(data, corners, c, patterns);
    special |= special_lanes(patterns);
    sum_floats<Format>(patterns, corners, result);
    put(result, c, texel);
  }
  return special;
}

template <ChannelFormat format>
std::uint32_t blend_units(const std::byte* data, const LaneCorners& corners, unsigned channels,
                          Reading reading, Channels* texel) {
  Patterns patterns;
  LaneRow<std::uint32_t> result;
  for (unsigned c = 0; c < channels; ++c) {
    load<format>(data, corners, c, patterns);
    if (reading == Reading::light && c < light_channels(channels))
      sum_floats<SrgbCodes>(patterns, corners, result);
    else
      sum_integers<format>(patterns, corners, result);
    put(result, c, texel);
  }
  return 0;
}

}  // namespace

std::uint32_t blend_lanes(const std::byte* data, const LaneCorners& corners, const memory::ArrayShape& shape,
                          Reading reading, Channels* texel) {
  using enum ChannelFormat;
  for (unsigned lane = 0; lane < 32; ++lane) texel[lane] = {};
  switch (shape.format) {
    case f32:
      return blend_floats<Singles>(data, corners, shape.channels, texel);
    case f16:
      return blend_floats<Halves>(data, corners, shape.channels, texel);
    case u8:
      return blend_units<u8>(data, corners, shape.channels, reading, texel);
    case s8:
      return blend_units<s8>(data, corners, shape.channels, reading, texel);
    case u16:
      return blend_units<u16>(data, corners, shape.channels, reading, texel);
    case s16:
      return blend_units<s16>(data, corners, shape.channels, reading, texel);
    case u32:
    case s32:
      break;  // no filter weighs them
  }
  return ~0u;
}

}  // namespace wedjat::exec
