// One texel as the four 32-bit channels a texture read gives (CUDA driver API: CUDA_TEXTURE_DESC).
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "emulator/memory/textures.h"

namespace wedjat::exec {

using Channels = std::array<std::uint32_t, 4>;  ///< patterns of f32, s32 or u32

/// What reads give. Float formats give floats, and so do 8 and 16 bit integers unless the sampler reads
/// integers; linear light: floats of 8-bit unsigned integers in sRGB (CU_TRSF_SRGB).
enum class Reading : std::uint8_t { integers, floats, light };
Reading reading_of(const memory::ArrayShape& shape, const memory::Sampler& sampler);

/// So many are in sRGB, the first ones: all but alpha, but of two only red (measured: H200).
inline unsigned light_channels(unsigned channels) { return channels == 4 ? 3 : 1; }

/// Channels that the format lacks are 0 (measured: H200).
Channels texel_channels(const std::byte* texel, const memory::ArrayShape& shape, Reading reading);

/// The single that a half is.
inline std::uint32_t single_of_half(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000) << 16;
  const std::uint32_t exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
  if (exponent == 31) return sign | 0x7f800000 | fraction << 13;
  if (exponent != 0) return sign | (exponent + 112) << 23 | fraction << 13;
  return sign | std::bit_cast<std::uint32_t>(static_cast<float>(fraction) * 0x1p-24f);
}

/// Channel c for sums: a single's pattern, or the integer of a normalised format.
template <memory::ChannelFormat format>
std::uint32_t channel_pattern(const std::byte* texel, unsigned c) {
  using enum memory::ChannelFormat;
  const auto read = [&]<class T>(T value) {
    std::memcpy(&value, texel + c * sizeof value, sizeof value);
    return value;
  };
  if constexpr (format == f16) return single_of_half(read(std::uint16_t{}));
  if constexpr (format == u8) return read(std::uint8_t{});
  if constexpr (format == s8) return static_cast<std::uint32_t>(read(std::int8_t{}));
  if constexpr (format == u16) return read(std::uint16_t{});
  if constexpr (format == s16) return static_cast<std::uint32_t>(read(std::int16_t{}));
  return read(std::uint32_t{});
}

using BorderTexel = std::array<std::byte, 16>;

/// What lies outside under the address mode border: the sampler's colour cut to the texture's format; read as
/// integers, its bits.
BorderTexel border_texel(const memory::ArrayShape& shape, const memory::Sampler& sampler);

}  // namespace wedjat::exec
