// The textures, samplers and surfaces that handles name while a kernel runs.
#pragma once
#include "emulator/exec/access/context.h"
#include "emulator/exec/texture/geometry.h"
#include "emulator/memory/textures.h"

namespace wedjat::exec {

/// Null if the launch has none.
const memory::TextureTable* texel_objects(const WarpContext& warp);
/// Throw Fault for a handle that names none.
const memory::Texture& texture_of(const WarpContext& warp, const kernel::Step& step, int lane,
                                  std::uint64_t handle);
const memory::Array& surface_of(const WarpContext& warp, const kernel::Step& step, int lane,
                                std::uint64_t handle);

enum class How : std::uint8_t { read, read_of_level, read_by_gradients, gather };

/// Why reads of this texture cannot be done exactly; null: they can.
const char* obstacle(const memory::Texture& texture, const memory::Sampler& sampler, Geometry geometry,
                     How how);

}  // namespace wedjat::exec
