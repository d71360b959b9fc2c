#include "emulator/exec/texture/texel_objects.h"

#include <fmt/format.h>

#include "emulator/exec/access/fault.h"
#include "emulator/exec/warp/warp.h"

namespace wedjat::exec {

const memory::TextureTable* texel_objects(const WarpContext& warp) {
  return static_cast<const Warp*>(warp.owner)->cta().launch->textures;
}

const memory::Texture& texture_of(const WarpContext& warp, const kernel::Step& step, int lane,
                                  std::uint64_t handle) {
  const memory::TextureTable* const table = texel_objects(warp);
  const memory::Texture* const texture = table == nullptr ? nullptr : table->texture(handle);
  if (texture == nullptr)
    fail(warp, step.id, 1u << lane, FaultKind::undefined,
         fmt::format("texture {:#x}: there is no texture object of this handle", handle));
  return *texture;
}

const memory::Array& surface_of(const WarpContext& warp, const kernel::Step& step, int lane,
                                std::uint64_t handle) {
  const memory::TextureTable* const table = texel_objects(warp);
  const memory::Surface* const found = table == nullptr ? nullptr : table->surface(handle);
  if (found == nullptr)
    fail(warp, step.id, 1u << lane, FaultKind::undefined,
         fmt::format("surface {:#x}: there is no surface object of this handle", handle));
  return *found->array;
}

}  // namespace wedjat::exec
