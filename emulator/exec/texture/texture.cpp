#include "emulator/exec/texture/texture.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "emulator/exec/access/fault.h"
#include "emulator/exec/access/memory_port.h"
#include "emulator/exec/texture/gradient.h"
#include "emulator/exec/texture/level.h"
#include "emulator/exec/texture/line.h"
#include "emulator/exec/texture/sampling.h"
#include "emulator/exec/texture/texel_objects.h"
#include "emulator/exec/warp/pieces.h"

namespace wedjat::exec {
namespace {

using memory::Texture;

// In a CUDA context a texture brings its sampler along, and what else stands for one counts for nothing
// (measured: H200).
memory::Sampler sampler_of(const WarpContext& warp, const Texture& texture, std::uint64_t handle) {
  const memory::Sampler* const apart = handle == 0 ? nullptr : texel_objects(warp)->sampler(handle);
  return apart == nullptr ? texture.sampler : joined(texture.sampler, *apart);
}

template <class T>
Vector<T> vector_of(std::initializer_list<const std::uint32_t*>::iterator rows, unsigned count, int lane) {
  Vector<T> result{};
  for (unsigned d = 0; d < count; ++d) result[d] = std::bit_cast<T>(rows[d][lane]);
  return result;
}

// The low bits of an offset, signed; cube maps have none.
template <unsigned bits>
Vector<std::int32_t> offset_of(std::initializer_list<const std::uint32_t*> rows, Geometry geometry,
                               int lane) {
  if (is_cube(geometry)) return {};
  Vector<std::int32_t> offset = vector_of<std::int32_t>(rows.begin(), dimensions(geometry), lane);
  for (std::int32_t& each : offset)
    each = static_cast<std::int32_t>(static_cast<std::uint32_t>(each) << (32 - bits)) >> (32 - bits);
  return offset;
}

// One offset is passed unpacked, so that its next four bits move the row of a texture of one dimension.
std::int32_t row_offset(std::uint32_t offset) { return static_cast<std::int32_t>(offset << 24) >> 28; }

Vector<std::int32_t> moved_by(std::initializer_list<const std::uint32_t*> offset, Geometry geometry,
                              int lane) {
  Vector<std::int32_t> by = offset_of<4>(offset, geometry, lane);
  if (geometry == Geometry::g1d && offset.size() != 0) by[1] = row_offset(offset.begin()[0][lane]);
  return by;
}

std::optional<int> steps_of(std::optional<std::uint32_t> level) {
  return level ? std::optional(level_steps(std::bit_cast<float>(*level))) : std::nullopt;
}

// Both gradients stand one after the other; of a cube map, `at` apart, the neighbouring directions. Without
// levels there is nothing to choose; a view counts them from its first.
std::optional<int> level_by_gradients(const Texture& texture, Geometry geometry, const Vector<float>& at,
                                      std::initializer_list<const std::uint32_t*> rows, int lane) {
  if (texture.texels.levels.size() < 2) return std::nullopt;
  const auto gradient = [&](std::size_t first) {
    return vector_of<float>(rows.begin() + first, dimensions(geometry), lane);
  };
  const Gradient x = gradient(0), y = gradient(rows.size() / 2);
  const memory::ArrayShape& shape = texture.texels.shape;
  const int level = is_cube(geometry) ? level_of_directions(at, x, y, shape.width)
                                      : level_of_gradients(x, y, {shape.width, shape.rows(), shape.planes()});
  return level - 256 * static_cast<int>(texture.first_level);
}

// Of the lane that is reading.
class LaneTexels final : public TexelMemory {
 public:
  LaneTexels(WarpContext& warp, const kernel::Step& step, const int& lane)
      : warp_(warp),
        step_(step),
        lane_(lane),
        wanted_(pieces_wanted(warp)),
        part_(wanted_ == nullptr ? 0 : next_part(*wanted_)) {
    tells = wanted_ != nullptr;
  }
  const std::byte* reach(std::uint64_t address, unsigned bytes) override {
    return reach_lane(warp_, step_, kernel::Space::Global, lane_, address, bytes, Use::read);
  }
  void tell(std::uint64_t address, unsigned bytes) override {
    wanted_->push_back({address, bytes, part_ + static_cast<std::uint32_t>(lane_),
                        static_cast<std::uint8_t>(lane_), kernel::Space::Global, true, false, false});
  }

 private:
  WarpContext& warp_;
  const kernel::Step& step_;
  const int& lane_;
  Pieces* wanted_;
  std::uint32_t part_;
};

// All lanes' real coordinates in one plane at once, where they read the same texture; the lanes that are
// left.
std::uint32_t read_plane(WarpContext& warp, const kernel::Step& step, std::uint32_t mask, Geometry geometry,
                         const std::uint64_t* handles, const std::uint64_t* samplers,
                         std::initializer_list<const std::uint32_t*> at,
                         std::initializer_list<const std::uint32_t*> offset, unsigned __int128* texel) {
  const int first = __builtin_ctz(mask);
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1)
    if (const int lane = __builtin_ctz(rest);
        handles[lane] != handles[first] || samplers[lane] != samplers[first])
      return mask;
  const Texture& texture = texture_of(warp, step, first, handles[first]);
  const memory::Sampler sampler = sampler_of(warp, texture, samplers[first]);
  if (obstacle(texture, sampler, geometry, How::read) != nullptr) return mask;
  LaneTexels memory(warp, step, first);
  const Sampling sampling(texture, sampler, geometry, &memory);
  if (!sampling.reads_plane()) return mask;
  std::array<LaneRow<float>, 2> place{};
  std::array<LaneRow<std::int32_t>, 2> by{};
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    for (unsigned d = 0; d < dimensions(geometry); ++d)
      place[d][lane] = std::bit_cast<float>(at.begin()[d][lane]);
    const Vector<std::int32_t> moved = moved_by(offset, geometry, lane);
    for (unsigned d = 0; d < 2; ++d) by[d][lane] = moved[d];
  }
  alignas(64) std::array<Channels, 32> channels;
  const std::uint32_t left = mask & sampling.sample_plane(place, by, channels.data());
  std::memcpy(texel, channels.data(), sizeof channels);
  return left;
}

// Each lane's Sampling, which lanes with the same handle share, and its layer.
template <class Read>
void for_each_lane(WarpContext& warp, const kernel::Step& step, std::uint32_t mask, Geometry geometry,
                   How how, const std::uint64_t* handles, const std::uint64_t* samplers,
                   std::initializer_list<const std::uint32_t*> at, Read read) {
  const bool layered = is_layered(geometry);
  const Texture* texture = nullptr;
  int lane = 0;
  memory::Sampler sampler;
  std::optional<Sampling> sampling;
  LaneTexels memory(warp, step, lane);
  std::uint64_t handle = 0, apart = 0;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    lane = __builtin_ctz(rest);
    if (texture == nullptr || handles[lane] != handle || samplers[lane] != apart) {
      handle = handles[lane];
      apart = samplers[lane];
      texture = &texture_of(warp, step, lane, handle);
      sampler = sampler_of(warp, *texture, apart);
      if (const char* why = obstacle(*texture, sampler, geometry, how))
        fail(warp, step.id, 1u << lane, FaultKind::undefined, fmt::format("texture {:#x}: {}", handle, why));
      sampling.emplace(*texture, sampler, geometry, &memory);
    }
    // A direction stands behind a layer, whether it counts or not.
    const auto place = at.begin() + (layered || is_cube(geometry));
    read(*sampling, *texture, lane, place, layered ? at.begin()[0][lane] : 0);
  }
}

}  // namespace

void texture_read_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask, Geometry geometry,
                        Coordinates coordinates, const std::uint64_t* handles, const std::uint64_t* samplers,
                        std::initializer_list<const std::uint32_t*> at,
                        std::initializer_list<const std::uint32_t*> offset,
                        std::initializer_list<const std::uint32_t*> level, unsigned __int128* texel) {
  const unsigned count = dimensions(geometry);
  const bool gradients = level.size() > 1;
  if (geometry == Geometry::g1d && coordinates == Coordinates::integer && level.size() == 0) {
    const std::uint32_t* const x = at.begin()[0];
    mask = fetch_line(warp, step, mask, handles, samplers, x, texel);
    return for_each_lane(
        warp, step, mask, geometry, How::read, handles, samplers, at,
        [&](Sampling& sampling, const Texture&, int lane, auto, std::uint32_t) {
          texel[lane] = std::bit_cast<unsigned __int128>(sampling.fetch(static_cast<std::int32_t>(x[lane])));
        });
  }
  if (mask == 0) return;
  const bool apart_on_line = geometry == Geometry::g1d && samplers[__builtin_ctz(mask)] != 0;
  if (coordinates == Coordinates::real && !gradients && !apart_on_line)
    mask = read_plane(warp, step, mask, geometry, handles, samplers, at, offset, texel);
  for_each_lane(
      warp, step, mask, geometry,
      gradients           ? How::read_by_gradients
      : level.size() != 0 ? How::read_of_level
                          : How::read,
      handles, samplers, at,
      [&](Sampling& sampling, const Texture& texture, int lane, auto place, std::uint32_t layer) {
        const auto by = moved_by(offset, geometry, lane);
        const std::optional<std::uint32_t> written =
            level.size() == 1 ? std::optional(level.begin()[0][lane]) : std::nullopt;
        Channels channels{};
        // Real coordinates find nothing in lines of device memory. Where samplers are apart, the tool chain
        // looks for lines in planes, and nothing is in a line (measured: H200); a plane's line is its first
        // row.
        const bool in_line =
            geometry == Geometry::g1d && coordinates == Coordinates::real && texture.texels.shape.height == 0;
        if (in_line && (samplers[lane] != 0 || texture.texels.levels.empty())) {
          texel[lane] = 0;
          return;
        }
        // With gradients the tool chain passes integers on as they are, to be read as floats; on a line the
        // hardware finds nothing then (measured: H200).
        if (gradients && !(coordinates == Coordinates::integer && geometry == Geometry::g1d)) {
          const auto at = vector_of<float>(place, count, lane);
          channels = sampling.sample(at, by, layer, level_by_gradients(texture, geometry, at, level, lane));
        } else if (!gradients && coordinates == Coordinates::integer)
          channels = sampling.fetch(vector_of<std::int32_t>(place, count, lane), by, layer, written);
        else if (!gradients)
          channels = sampling.sample(vector_of<float>(place, count, lane), by, layer, steps_of(written));
        texel[lane] = std::bit_cast<unsigned __int128>(channels);
      });
}

void texture_gather_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask, Geometry geometry,
                          Component component, const std::uint64_t* handles, const std::uint64_t* samplers,
                          std::initializer_list<const std::uint32_t*> at,
                          std::initializer_list<const std::uint32_t*> offset, unsigned __int128* texels) {
  const unsigned count = dimensions(geometry);
  for_each_lane(warp, step, mask, geometry, How::gather, handles, samplers, at,
                [&](Sampling& sampling, const Texture&, int lane, auto place, std::uint32_t layer) {
                  texels[lane] = std::bit_cast<unsigned __int128>(
                      sampling.gather(static_cast<unsigned>(component), vector_of<float>(place, count, lane),
                                      offset_of<6>(offset, geometry, lane), layer));
                });
}

}  // namespace wedjat::exec
