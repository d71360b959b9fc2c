// One texel as the four 32-bit channels a texture read gives (CUDA driver API: CUDA_TEXTURE_DESC).
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "emulator/memory/textures.h"

namespace wedjat::exec {

using Channels = std::array<std::uint32_t, 4>;  ///< patterns of f32, s32 or u32

/// What reads give. Float formats give floats, and so do 8 and 16 bit integers unless the sampler reads
/// integers; linear light in the first three channels: floats of 8-bit unsigned integers in sRGB
/// (CU_TRSF_SRGB).
enum class Reading : std::uint8_t { integers, floats, light };
Reading reading_of(const memory::ArrayShape& shape, const memory::Sampler& sampler);

/// Channels that the format lacks are 0 (measured: H200).
Channels texel_channels(const std::byte* texel, const memory::ArrayShape& shape, Reading reading);

/// One channel for sums: a single's pattern, or the integer of a normalised format.
std::uint32_t channel_pattern(const std::byte* texel, memory::ChannelFormat format);

using BorderTexel = std::array<std::byte, 16>;

/// What lies outside under the address mode border: the sampler's colour cut to the texture's format; read as
/// integers, its bits.
BorderTexel border_texel(const memory::ArrayShape& shape, const memory::Sampler& sampler);

}  // namespace wedjat::exec
