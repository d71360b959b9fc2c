// One texel as the four 32-bit channels a texture read gives (CUDA driver API: CUDA_TEXTURE_DESC).
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "emulator/memory/textures.h"

namespace wedjat::exec {

using Channels = std::array<std::uint32_t, 4>;  ///< patterns of f32, s32 or u32

/// Whether reads give floats: of float formats, and of 8 and 16 bit integers unless the sampler reads
/// integers.
bool reads_floats(const memory::ArrayShape& shape, const memory::Sampler& sampler);

/// Whether the first three channels become linear light (CU_TRSF_SRGB, which holds for 8-bit unsigned
/// integers that are read as floats).
bool reads_srgb(const memory::ArrayShape& shape, const memory::Sampler& sampler);

/// Channels that the format lacks are 0 (measured: H200).
Channels texel_channels(const std::byte* texel, const memory::ArrayShape& shape, bool as_floats, bool srgb);

/// One channel for sums: a single's pattern, or the integer of a normalised format.
std::uint32_t channel_pattern(const std::byte* texel, memory::ChannelFormat format);

using BorderTexel = std::array<std::byte, 16>;

/// What lies outside under the address mode border: the sampler's colour cut to the texture's format; read as
/// integers, its bits.
BorderTexel border_texel(const memory::ArrayShape& shape, const memory::Sampler& sampler);

}  // namespace wedjat::exec
