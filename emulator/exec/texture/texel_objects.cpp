#include "emulator/exec/texture/texel_objects.h"

#include <fmt/format.h>

#include "emulator/exec/access/fault.h"
#include "emulator/exec/texture/texel.h"
#include "emulator/exec/warp/warp.h"

namespace wedjat::exec {

namespace {

bool weighs_integers(const memory::Texture& texture, Geometry geometry) {
  using enum memory::ChannelFormat;
  const memory::ChannelFormat format = texture.texels.shape.format;
  return (format == u8 || format == u32 || format == s32) && texture.texels.levels.size() < 2 &&
         (geometry == Geometry::g1d || geometry == Geometry::g2d);
}

}  // namespace

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

const char* obstacle(const memory::Texture& texture, const memory::Sampler& sampler, Geometry geometry,
                     How how) {
  const memory::ArrayShape& shape = texture.texels.shape;
  const Reading reading = reading_of(shape, sampler);
  const bool linear = sampler.filter == memory::Filter::linear;
  const bool levels = texture.texels.levels.size() > 1;
  const bool mip_linear = levels && sampler.mip_filter == memory::Filter::linear;
  if (levels && sampler.max_anisotropy > 1) {
    if (how == How::read_by_gradients) return "anisotropic filters have no exact semantics here";
    if (how == How::read_of_level && mip_linear && !sampler.trilinear_optimization)
      return "anisotropy without trilinear optimisation has no exact semantics here";
  }
  if (shape.cubemap != is_cube(geometry)) return "cube maps and only those are read by directions";
  if (shape.cubemap && !sampler.normalized_coordinates)
    return "cube maps without normalised coordinates have no exact semantics here";
  if (how == How::gather && sampler.seamless_cubemap && memory::bytes_of(shape.format) == 4 &&
      reading == Reading::integers)
    return "tld4 of 32-bit integers of seamless cube maps has no exact semantics here";
  if (shape.cubemap && texture.first_layer != 0) return "views of cube maps have no exact semantics here";
  if (reading == Reading::integers && (mip_linear || linear) && !weighs_integers(texture, geometry))
    return "filters of integers but u8 and 32 bits, along rows and planes, have no exact semantics here";
  return nullptr;
}

}  // namespace wedjat::exec
