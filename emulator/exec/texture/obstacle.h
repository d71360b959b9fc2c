// What reads of textures have no exact semantics here.
#pragma once
#include "emulator/exec/texture/geometry.h"
#include "emulator/memory/textures.h"

namespace wedjat::exec {

enum class How : std::uint8_t { read, read_of_level, read_by_gradients, gather };

/// Why reads of this texture cannot be done exactly; null: they can.
const char* obstacle(const memory::Texture& texture, const memory::Sampler& sampler, Geometry geometry,
                     How how);

}  // namespace wedjat::exec
