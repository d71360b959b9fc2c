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

/// A missing channel is 0, a missing fourth 1.
Channels texel_channels(const std::byte* texel, const memory::ArrayShape& shape, bool as_floats);

/// What lies outside under the address mode border.
Channels border_channels(const memory::Sampler& sampler, bool as_floats);

}  // namespace wedjat::exec
