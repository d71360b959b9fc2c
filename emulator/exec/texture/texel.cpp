#include "emulator/exec/texture/texel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "emulator/exec/texture/srgb.h"

namespace wedjat::exec {

using memory::ChannelFormat;

namespace {

template <class T>
T read(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

std::uint32_t pattern(float value) { return std::bit_cast<std::uint32_t>(value); }

// Exact in double, so rounded once.
template <class T>
std::uint32_t unit(T value) {
  constexpr double largest = std::numeric_limits<T>::max();
  return pattern(static_cast<float>(std::max(value / largest, -1.0)));
}

template <class T>
std::uint32_t integer(const std::byte* at, bool as_floats) {
  const T value = read<T>(at);
  return as_floats ? unit(value) : static_cast<std::uint32_t>(value);
}

std::uint32_t channel(const std::byte* at, ChannelFormat format, bool as_floats) {
  switch (format) {
    case ChannelFormat::u8:
      return integer<std::uint8_t>(at, as_floats);
    case ChannelFormat::s8:
      return integer<std::int8_t>(at, as_floats);
    case ChannelFormat::u16:
      return integer<std::uint16_t>(at, as_floats);
    case ChannelFormat::s16:
      return integer<std::int16_t>(at, as_floats);
    case ChannelFormat::f16:
      return single_of_half(read<std::uint16_t>(at));
    case ChannelFormat::u32:
    case ChannelFormat::s32:
    case ChannelFormat::f32:
      break;
  }
  return read<std::uint32_t>(at);
}

// Toward zero, at most the largest half.
std::uint32_t cut_to_half(float value) {
  const double magnitude = std::min(std::abs(static_cast<double>(value)), 65504.0);
  const int exponent = magnitude < 0x1p-14 ? -14 : std::ilogb(magnitude);
  const auto fraction = static_cast<std::uint32_t>(std::ldexp(magnitude, 10 - exponent));
  const std::uint32_t field = static_cast<std::uint32_t>(exponent + 14) << 10;  // the hidden bit adds one
  return (std::signbit(value) ? 0x8000 : 0) | (field + fraction);
}

std::uint32_t border_bits(float value, ChannelFormat format, bool as_floats) {
  if (!as_floats || format == ChannelFormat::f32) return pattern(value);
  if (format == ChannelFormat::f16) return cut_to_half(value);
  const bool is_signed = format == ChannelFormat::s8 || format == ChannelFormat::s16;
  const unsigned bits = 8 * memory::bytes_of(format);
  const auto largest = static_cast<float>((1 << (is_signed ? bits - 1 : bits)) - 1);
  const float inside = std::isnan(value) ? 0 : std::clamp<float>(value, is_signed ? -1 : 0, 1);
  const float steps = inside * largest;  // rounded as a single: 0.1 of 255 is 25.5, a tie, and becomes 25
  const float nearest = std::copysign(std::ceil(std::abs(steps) - 0.5f), steps);
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(nearest));
}

std::uint8_t srgb_border(float value, bool is_light) {
  const float inside = std::isnan(value) ? 0 : std::clamp<float>(value, 0, 1);
  if (is_light) return srgb_of_linear(inside);
  // Alpha is cut to 12 bits; ties go down.
  const auto steps = static_cast<std::uint32_t>(inside * 4096);
  return static_cast<std::uint8_t>((steps * 255 + 2047) >> 12);
}

}  // namespace

Reading reading_of(const memory::ArrayShape& shape, const memory::Sampler& sampler) {
  if (shape.format == ChannelFormat::f16 || shape.format == ChannelFormat::f32) return Reading::floats;
  const bool whole = sampler.read_as_integer && !shape.normalized;
  if (memory::bytes_of(shape.format) == 4 || whole) return Reading::integers;
  return sampler.srgb && shape.format == ChannelFormat::u8 ? Reading::light : Reading::floats;
}

Channels texel_channels(const std::byte* texel, const memory::ArrayShape& shape, Reading reading) {
  Channels result{};
  if (memory::bytes_of(shape.format) == sizeof result[0]) {
    for (unsigned i = 0; i < shape.channels; ++i) result[i] = read<std::uint32_t>(texel + 4 * i);
    return result;
  }
  for (unsigned i = 0; i < shape.channels; ++i)
    result[i] =
        channel(texel + i * memory::bytes_of(shape.format), shape.format, reading != Reading::integers);
  for (unsigned i = 0; reading == Reading::light && i < light_channels(shape.channels); ++i) {
    const Linear light = linear_of_srgb(read<std::uint8_t>(texel + i));
    result[i] = pattern(std::ldexp(static_cast<float>(light.significand), light.exponent - 7));
  }
  return result;
}

BorderTexel border_texel(const memory::ArrayShape& shape, const memory::Sampler& sampler) {
  BorderTexel result{};
  const unsigned bytes = memory::bytes_of(shape.format);
  const Reading reading = reading_of(shape, sampler);
  for (unsigned i = 0; i < shape.channels; ++i) {
    const std::uint32_t bits =
        reading == Reading::light
            ? srgb_border(sampler.border[i], i < light_channels(shape.channels))
            : border_bits(sampler.border[i], shape.format, reading != Reading::integers);
    std::memcpy(&result[i * bytes], &bits, bytes);
  }
  return result;
}

}  // namespace wedjat::exec
