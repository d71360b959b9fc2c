#include "emulator/exec/texture/line.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/exec/access/memory_port.h"
#include "emulator/exec/texture/place.h"
#include "emulator/exec/texture/texel.h"
#include "emulator/exec/texture/texel_objects.h"
#include "emulator/exec/warp/pieces.h"

namespace wedjat::exec {

namespace {

using LaneOffsets = std::uint64_t[lanes];

const memory::Texture* texture_named(const WarpContext& warp, std::uint64_t handle) {
  const memory::TextureTable* const table = texel_objects(warp);
  return table == nullptr ? nullptr : table->texture(handle);
}

// Lanes that find nothing may read any texel.
template <unsigned bytes>
void copy_words(const std::byte* from, const LaneOffsets& offset, std::uint32_t found,
                unsigned __int128* texel) {
  for (int lane = 0; lane < lanes; ++lane) {
    unsigned __int128 word = 0;
    std::memcpy(&word, from + offset[lane], bytes);
    texel[lane] = (found >> lane & 1) != 0 ? word : 0;
  }
}

}  // namespace

TexelLine line_of(WarpContext& warp, const kernel::Step& step, std::uint64_t handle) {
  constexpr std::uint64_t most_texels = std::uint64_t{1} << 31;  // that an integer may name
  const memory::Texture* const texture = texture_named(warp, handle);
  if (texture == nullptr || !texture->texels.levels.empty() || pieces_wanted(warp) != nullptr) return {};
  const memory::ArrayShape& shape = texture->texels.shape;
  if (shape.width == 0 || shape.width > most_texels ||
      obstacle(*texture, texture->sampler, Geometry::g1d, How::read) != nullptr)
    return {};
  const std::uint64_t first = texture->texels.address, bytes = shape.width * shape.texel_bytes();
  const Recent& recent = warp.memory->cache[step.id];
  if (Reach reach; !recent.extent.contains(first, bytes) &&
                   !reach_slowly(warp, step, kernel::Space::Global, first, first, bytes, Use::read, reach))
    return {};
  return {{first, bytes, recent.extent.host + (first - recent.extent.address)},
          shape.texel_bytes(),
          memory::bytes_of(shape.format) == sizeof(std::uint32_t),
          shape.texel_bytes() == 1 && reading_of(shape, texture->sampler) == Reading::integers,
          shape.format == memory::ChannelFormat::s8,
          recent.noted};
}

void find_words(WarpContext& warp, const kernel::Step& step, std::uint64_t handle, std::uint32_t texel_bytes,
                WordLine& found) {
  found = {};
  const TexelLine line = line_of(warp, step, handle);
  if (line.noted) return;
  if (line.words && line.texel_bytes == texel_bytes) found.words = line.extent;
  if (line.small && texel_bytes == sizeof(std::uint32_t))
    found = {.words = {}, .bytes = line.extent.host, .count = line.extent.size, .is_signed = line.is_signed};
}

std::uint32_t fetch_line(WarpContext& warp, const kernel::Step& step, std::uint32_t mask,
                         const std::uint64_t* handles, const std::uint64_t* samplers,
                         const std::uint32_t* places, unsigned __int128* texel) {
  if (mask == 0) return mask;
  const std::uint64_t handle = handles[__builtin_ctz(mask)];
  std::uint64_t odd = 0;
  for (int lane = 0; lane < lanes; ++lane)
    odd |= (mask >> lane & 1) != 0 ? (handles[lane] ^ handle) | samplers[lane] : 0;
  if (odd != 0) return mask;
  const TexelLine line = line_of(warp, step, handle);
  if (line.extent.size == 0) return mask;
  const std::uint64_t count = line.extent.size / line.texel_bytes;
  std::uint32_t found = 0;
  alignas(64) LaneOffsets offset;
  for (int lane = 0; lane < lanes; ++lane) {
    const bool is_there = places[lane] < count;
    found |= static_cast<std::uint32_t>(is_there) << lane;
    offset[lane] = is_there ? std::uint64_t{places[lane]} * line.texel_bytes : 0;
  }
  found &= mask;
  if (line.noted)
    for (std::uint32_t rest = found; rest != 0; rest &= rest - 1)
      note_range(warp, step, Use::read, line.extent.address + offset[__builtin_ctz(rest)], line.texel_bytes);
  if (line.words && line.texel_bytes == 4) {
    copy_words<4>(line.extent.host, offset, found, texel);
  } else if (line.words && line.texel_bytes == 8) {
    copy_words<8>(line.extent.host, offset, found, texel);
  } else if (line.words && line.texel_bytes == 16) {
    copy_words<16>(line.extent.host, offset, found, texel);
  } else {
    const memory::Texture& texture = *texture_named(warp, handle);
    const Reading reading = reading_of(texture.texels.shape, texture.sampler);
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
      const int lane = __builtin_ctz(rest);
      texel[lane] = (found >> lane & 1) == 0
                        ? 0
                        : std::bit_cast<unsigned __int128>(
                              texel_channels(line.extent.host + offset[lane], texture.texels.shape, reading));
    }
  }
  return 0;
}

void find_plane(WarpContext& warp, const kernel::Step&, std::uint64_t handle, std::uint32_t channels,
                TexelPlane& plane) {
  plane = {};
  const memory::TextureTable* const table = texel_objects(warp);
  const memory::Texture* const texture = table == nullptr ? nullptr : table->texture(handle);
  // Texels in device memory may be written by others meanwhile, who want to
  // know.
  if (texture == nullptr || texture->texels.levels.size() != 1 || texture->first_level != 0 ||
      pieces_wanted(warp) != nullptr)
    return;
  const memory::ArrayShape& shape = texture->texels.shape;
  const memory::Sampler& sampler = texture->sampler;
  if (sampler.filter != memory::Filter::point || sampler.normalized_coordinates || shape.layered ||
      memory::bytes_of(shape.format) != sizeof(std::uint32_t) || shape.channels < channels ||
      obstacle(*texture, sampler, Geometry::g2d, How::read) != nullptr)
    return;
  const std::uint64_t bytes = shape.row_bytes() * shape.rows();
  // More than so many texels along an axis no coordinate tells apart.
  if (bytes == 0 || bytes >= most_plane_bytes || std::max(shape.width, shape.rows()) > 1 << 24) return;
  for (unsigned d = 0; d < 2; ++d)
    if (Axis{1, sampler.address[d], false}.real_mode() != memory::AddressMode::clamp) return;
  plane = {.host = texture->texels.levels.front()->data(),
           .row_bytes = shape.row_bytes(),
           .texel_bytes = shape.texel_bytes(),
           .last_column = shape.width - 1,
           .last_row = shape.rows() - 1};
}

}  // namespace wedjat::exec
