#include "emulator/exec/texture.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "emulator/exec/fault.h"
#include "emulator/exec/memory_port.h"
#include "emulator/exec/texture_texel.h"
#include "emulator/exec/warp.h"

namespace wedjat::exec {
namespace {

using memory::AddressMode;
using memory::Texture;

constexpr std::int64_t outside = -1;

// The texel that coordinate i means; `outside` takes the border.
std::int64_t addressed(std::int64_t i, std::int64_t size, AddressMode mode) {
  switch (mode) {
    case AddressMode::wrap:
      return ((i % size) + size) % size;
    case AddressMode::mirror: {
      const std::int64_t turn = ((i % (2 * size)) + 2 * size) % (2 * size);
      return turn < size ? turn : 2 * size - 1 - turn;
    }
    case AddressMode::clamp:
      return std::clamp<std::int64_t>(i, 0, size - 1);
    case AddressMode::border:
      break;
  }
  return i < 0 || i >= size ? outside : i;
}

class Sampling {
 public:
  Sampling(WarpContext& warp, const kernel::Step& step, const Texture& texture, Geometry geometry)
      : warp_(warp),
        step_(step),
        texture_(texture),
        shape_(texture.texels.shape.at_level(texture.first_level)),
        geometry_(geometry) {}

  // Coordinates without the layer; x y z.
  Channels read(int lane, Coordinates kind, const std::uint32_t* at, const std::int32_t* offset,
                std::uint64_t layer) {
    lane_ = lane;
    layer_ = layer;
    as_floats_ = reads_floats(shape_, texture_.sampler);
    std::int64_t place[3] = {};
    const std::uint64_t size[3] = {shape_.width, shape_.rows(), shape_.layered ? 1 : shape_.planes()};
    for (unsigned d = 0; d < dimensions(geometry_); ++d)
      place[d] = kind == Coordinates::integer
                     ? fetched(std::int64_t{static_cast<std::int32_t>(at[d])} + offset[d],
                               static_cast<std::int64_t>(size[d]), d)
                     : nearest(std::bit_cast<float>(at[d]), offset[d], static_cast<std::int64_t>(size[d]), d);
    return texel(place[0], place[1], place[2]);
  }

 private:
  bool in_memory() const { return texture_.texels.levels.empty(); }

  // Integer coordinates are texels; those of device memory have no address mode: outside is 0.
  std::int64_t fetched(std::int64_t i, std::int64_t size, unsigned d) const {
    return addressed(i, size, in_memory() ? AddressMode::border : texture_.sampler.address[d]);
  }

  std::int64_t nearest(float x, std::int32_t offset, std::int64_t size, unsigned d) const {
    const memory::Sampler& sampler = texture_.sampler;
    AddressMode mode = sampler.address[d];
    // Without normalised coordinates there is nothing to repeat.
    if (!sampler.normalized_coordinates && (mode == AddressMode::wrap || mode == AddressMode::mirror))
      mode = AddressMode::clamp;
    double u = std::isnan(x) ? 0 : static_cast<double>(x);
    if (sampler.normalized_coordinates) u *= static_cast<double>(size);
    return addressed(static_cast<std::int64_t>(std::floor(std::clamp(u, -0x1p40, 0x1p40))) + offset, size,
                     mode);
  }

  const std::byte* host(std::int64_t x, std::int64_t y, std::int64_t z) const {
    const auto column = static_cast<std::uint64_t>(x), row = static_cast<std::uint64_t>(y);
    if (!in_memory()) {
      const auto plane = shape_.layered ? layer_ + texture_.first_layer : static_cast<std::uint64_t>(z);
      return texture_.texels.levels[texture_.first_level]->texel(column, row, plane);
    }
    const std::uint64_t address =
        texture_.texels.address + row * texture_.texels.pitch + column * shape_.texel_bytes();
    return reach_lane(warp_, step_, kernel::Space::Global, lane_, address, shape_.texel_bytes());
  }

  Channels texel(std::int64_t x, std::int64_t y, std::int64_t z) const {
    if (x == outside || y == outside || z == outside) return border_channels(texture_.sampler, as_floats_);
    return texel_channels(host(x, y, z), shape_, as_floats_);
  }

  WarpContext& warp_;
  const kernel::Step& step_;
  const Texture& texture_;
  const memory::ArrayShape shape_;
  Geometry geometry_;
  std::uint64_t layer_ = 0;
  int lane_ = 0;
  bool as_floats_ = false;
};

const Texture& texture_of(const WarpContext& warp, const kernel::Step& step, int lane, std::uint64_t handle) {
  const memory::TextureTable* const table = static_cast<const Warp*>(warp.owner)->cta().launch->textures;
  const Texture* const texture = table == nullptr ? nullptr : table->texture(handle);
  if (texture == nullptr)
    fail(warp, step.id, 1u << lane, FaultKind::undefined,
         fmt::format("texture {:#x}: there is no texture object of this handle", handle));
  return *texture;
}

// Why reads of this texture cannot be done; null: they can.
const char* obstacle(const Texture& texture, Coordinates coordinates) {
  if (texture.sampler.srgb) return "textures in sRGB have no semantics here";
  if (texture.texels.shape.cubemap) return "cube maps have no semantics here";
  if (texture.texels.levels.size() > 1) return "mipmapped arrays have no semantics here";
  if (coordinates == Coordinates::real && texture.sampler.filter == memory::Filter::linear)
    return "linear filtering has no exact semantics here";
  return nullptr;
}

}  // namespace

void texture_read_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask, Geometry geometry,
                        Coordinates coordinates, const std::uint64_t* handle,
                        std::initializer_list<const std::uint32_t*> at,
                        std::initializer_list<const std::uint32_t*> offset, unsigned __int128* texel) {
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const Texture& texture = texture_of(warp, step, lane, handle[lane]);
    if (const char* why = obstacle(texture, coordinates))
      fail(warp, step.id, 1u << lane, FaultKind::undefined,
           fmt::format("texture {:#x}: {}", handle[lane], why));
    Sampling sampling(warp, step, texture, geometry);
    std::uint32_t position[3] = {};
    auto next = at.begin();
    std::uint64_t layer = 0;
    if (is_layered(geometry))
      layer = std::min<std::uint64_t>((*next++)[lane], texture.texels.shape.planes() - 1);
    for (unsigned d = 0; d < dimensions(geometry); ++d) position[d] = (*next++)[lane];
    std::int32_t shift[3] = {};
    for (unsigned d = 0; d < dimensions(geometry); ++d)
      shift[d] = static_cast<std::int32_t>(offset.begin()[d][lane]);
    const Channels channels = sampling.read(lane, coordinates, position, shift, layer);
    texel[lane] = std::bit_cast<unsigned __int128>(channels);
  }
}

void texture_query_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask, Query query,
                         const std::uint64_t* handle, std::uint32_t* answer) {
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const Texture& texture = texture_of(warp, step, lane, handle[lane]);
    const auto levels = static_cast<std::uint32_t>(std::max<std::size_t>(texture.texels.levels.size(), 1));
    answer[lane] = query == Query::num_mipmap_levels   ? levels
                   : query == Query::normalized_coords ? texture.sampler.normalized_coordinates
                                                       : extent(texture.texels.shape, query);
  }
}

}  // namespace wedjat::exec
