// What txq, suq and istypep say of what a handle names.
#include <fmt/format.h>

#include <algorithm>

#include "emulator/exec/access/fault.h"
#include "emulator/exec/texture/surface.h"
#include "emulator/exec/texture/texel_objects.h"
#include "emulator/exec/texture/texture.h"

namespace wedjat::exec {
namespace {

using memory::ArrayShape;

std::uint32_t layers(const ArrayShape& shape) {
  return shape.layered ? static_cast<std::uint32_t>(shape.depth) : 0;
}

// 0 unsigned, 1 signed, 2 float.
std::uint32_t kind(memory::ChannelFormat format) {
  using enum memory::ChannelFormat;
  return format == f16 || format == f32 ? 2 : format == s8 || format == s16 || format == s32 ? 1 : 0;
}

// What texels are, and extents that both ask for alike; an extent the shape does not have is 0.
std::uint32_t answer_to(const ArrayShape& shape, Query query) {
  switch (query) {
    case Query::channels:
      return shape.channels;
    case Query::channel_bytes:
      return memory::bytes_of(shape.format);
    case Query::channel_kind:
      return kind(shape.format);
    case Query::array_size:
      return layers(shape);
    default:
      return static_cast<std::uint32_t>(shape.width);
  }
}

// Layers are counted like rows and planes (measured: H200).
std::uint32_t answer_of_surface(const ArrayShape& shape, Query query) {
  if (query == Query::height)
    return shape.layered && shape.height == 0 ? layers(shape) : static_cast<std::uint32_t>(shape.height);
  if (query != Query::depth) return answer_to(shape, query);
  return shape.layered && shape.height == 0 ? 0 : static_cast<std::uint32_t>(shape.depth);
}

// A line has one row, layers count along the dimension behind the others (measured: H200).
std::uint32_t answer_of_texture(const ArrayShape& shape, Query query) {
  if (query == Query::height && shape.height == 0) return shape.layered ? layers(shape) : 1;
  if (query == Query::height) return static_cast<std::uint32_t>(shape.height);
  if (query != Query::depth) return answer_to(shape, query);
  if (shape.cubemap) return layers(shape) / 6;
  return shape.height == 0 ? 0 : static_cast<std::uint32_t>(shape.depth);
}

std::uint32_t answer_of_sampler(const memory::Sampler& sampler, Query query) {
  if (query == Query::filter_mode) return static_cast<std::uint32_t>(sampler.filter);
  if (query == Query::force_unnormalized_coords) return sampler.normalized_coordinates ? 0 : 1;
  const auto axis = static_cast<unsigned>(query) - static_cast<unsigned>(Query::addr_mode_0);
  return static_cast<std::uint32_t>(sampler.address[axis]);
}

std::uint32_t answer_of_texture(const memory::Texture& texture, Query query) {
  switch (query) {
    case Query::num_mipmap_levels:
      return static_cast<std::uint32_t>(std::max<std::size_t>(texture.texels.levels.size(), 1));
    case Query::normalized_coords:
      return texture.sampler.normalized_coordinates;
    case Query::read_as_integer:
      return texture.sampler.read_as_integer && !texture.texels.shape.normalized;
    default:
      return answer_of_texture(texture.texels.shape, query);
  }
}

bool asks_sampler(Query query) {
  return query >= Query::filter_mode && query <= Query::force_unnormalized_coords;
}

// Of a sampler apart, else of the one that a texture brings along.
const memory::Sampler& sampler_of(const WarpContext& warp, const kernel::Step& step, int lane,
                                  std::uint64_t handle) {
  const memory::TextureTable* const table = texel_objects(warp);
  const memory::Sampler* const apart = table == nullptr ? nullptr : table->sampler(handle);
  return apart != nullptr ? *apart : texture_of(warp, step, lane, handle).sampler;
}

bool names(const WarpContext& warp, Query type, std::uint64_t handle) {
  const memory::TextureTable* const table = texel_objects(warp);
  if (table == nullptr) return false;
  return type == Query::texref       ? table->texture(handle) != nullptr
         : type == Query::samplerref ? table->sampler(handle) != nullptr
                                     : table->surface(handle) != nullptr;
}

}  // namespace

void texture_query_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask, Query query,
                         const std::uint64_t* handle, std::uint32_t* answer) {
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    answer[lane] = query >= Query::texref ? names(warp, query, handle[lane])
                   : asks_sampler(query)
                       ? answer_of_sampler(sampler_of(warp, step, lane, handle[lane]), query)
                       : answer_of_texture(texture_of(warp, step, lane, handle[lane]), query);
  }
}

void surface_query_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask, Query query,
                         const std::uint64_t* handle, std::uint32_t* answer) {
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    answer[lane] = answer_of_surface(surface_of(warp, step, lane, handle[lane]).shape(), query);
  }
}

}  // namespace wedjat::exec
