// The textures, samplers and surfaces that handles name while a kernel runs.
#pragma once
#include "emulator/exec/access/context.h"
#include "emulator/memory/textures.h"

namespace wedjat::exec {

/// Null if the launch has none.
const memory::TextureTable* texel_objects(const WarpContext& warp);
/// Throw Fault for a handle that names none.
const memory::Texture& texture_of(const WarpContext& warp, const kernel::Step& step, int lane,
                                  std::uint64_t handle);
const memory::Array& surface_of(const WarpContext& warp, const kernel::Step& step, int lane,
                                std::uint64_t handle);

}  // namespace wedjat::exec
