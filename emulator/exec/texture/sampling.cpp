#include "emulator/exec/texture/sampling.h"

#include <algorithm>
#include <utility>

#include "emulator/exec/texture/blend.h"
#include "emulator/exec/texture/level.h"
#include "emulator/exec/texture/place.h"
#include "emulator/exec/texture/weights.h"

namespace wedjat::exec {

using memory::AddressMode;
using memory::Filter;

namespace {

// A texture of one dimension is a row of a plane.
unsigned axes_of(Geometry geometry) { return geometry == Geometry::g1d ? 2 : dimensions(geometry); }

unsigned levels_of(const memory::Texture& texture) {
  const auto all = static_cast<unsigned>(std::max<std::size_t>(texture.texels.levels.size(), 1));
  return std::min(all - 1, texture.last_level) - texture.first_level + 1;
}

}  // namespace

Sampling::Sampling(const memory::Texture& texture, Geometry geometry, Reach reach)
    : texture_(texture), sampler_(texture.sampler), geometry_(geometry), reach_(std::move(reach)) {
  choose(0, 0);
  as_floats_ = reads_floats(shape_, sampler_);
  srgb_ = reads_srgb(shape_, sampler_);
  border_ = border_texel(shape_, sampler_);
}

void Sampling::choose(unsigned level, std::uint32_t layer) {
  level_ = level + texture_.first_level;
  shape_ = texture_.texels.shape.at_level(level_);
  layer_ = std::min<std::uint64_t>(std::uint64_t{layer} + texture_.first_layer, shape_.planes() - 1);
}

std::int64_t Sampling::size(unsigned dimension) const {
  if (dimension >= dimensions(geometry_)) return 1;
  return static_cast<std::int64_t>(dimension == 0   ? shape_.width
                                   : dimension == 1 ? shape_.rows()
                                   : shape_.layered ? 1
                                                    : shape_.planes());
}

const std::byte* Sampling::texel(std::int64_t x, std::int64_t y, std::int64_t z) const {
  if (x == outside || y == outside || z == outside) return border_.data();
  const auto column = static_cast<std::uint64_t>(x), row = static_cast<std::uint64_t>(y);
  if (!texture_.texels.levels.empty()) {
    const auto plane = shape_.layered ? layer_ : static_cast<std::uint64_t>(z);
    return texture_.texels.levels[level_]->texel(column, row, plane);
  }
  return reach_(texture_.texels.address + row * texture_.texels.pitch + column * shape_.texel_bytes(),
                shape_.texel_bytes());
}

// Nothing is weighed.
Channels Sampling::near(const Vector<float>& at, const Vector<std::int32_t>& offset) const {
  Vector<std::int64_t> place{};
  const unsigned axes = axes_of(geometry_);
  for (unsigned d = 0; d < axes; ++d)
    place[d] = nearest({size(d), sampler_.address[d], sampler_.normalized_coordinates}, at[d], offset[d]);
  return texel_channels(texel(place[0], place[1], place[2]), shape_, as_floats_, srgb_);
}

Channels Sampling::sample(const Vector<float>& at, const Vector<std::int32_t>& offset, std::uint32_t layer,
                          std::optional<float> level) {
  constexpr float finest = -32;  // what ptxas asks for where no level is written
  const bool mipmapped = texture_.texels.levels.size() > 1;
  const Level chosen = mipmapped ? level_at(sampler_, levels_of(texture_), level.value_or(finest)) : Level{};
  const bool linear = sampler_.filter == Filter::linear && as_floats_;
  std::array<Plane, 4> planes{};
  unsigned count = 0;
  for (unsigned coarser = 0; coarser < (chosen.weight == 0 ? 1 : 2); ++coarser) {
    choose(chosen.finer + coarser, layer);
    if (!linear && chosen.weight == 0) return near(at, offset);
    const unsigned part = coarser ? chosen.weight : 256 - chosen.weight;
    Vector<Place> place;
    for (unsigned d = 0; d < 3; ++d) {
      const Axis axis{size(d), sampler_.address[d], sampler_.normalized_coordinates};
      if (linear && d < axes_of(geometry_))
        place[d] = between(axis, at[d], offset[d]);
      else
        place[d].low = place[d].high = d < axes_of(geometry_) ? nearest(axis, at[d], offset[d]) : 0;
    }
    const Shares depth = share_low(part, place[2].weight);
    for (const bool upper : {false, true}) {
      if (upper && place[2].weight == 0) break;
      const std::int64_t z = upper ? place[2].high : place[2].low;
      const auto weight = corners(upper ? depth.high : depth.low, place[0].weight, place[1].weight);
      for (unsigned i = 0; i < 4; ++i) {
        const bool right = i & 1, below = i & 2;
        if ((right && place[0].weight == 0) || (below && place[1].weight == 0)) continue;
        planes[count][i] = {
            texel(right ? place[0].high : place[0].low, below ? place[1].high : place[1].low, z), weight[i]};
      }
      ++count;
    }
  }
  return blend(std::span(planes.data(), count), shape_, srgb_);
}

Channels Sampling::fetch(const Vector<std::int32_t>& at, const Vector<std::int32_t>& offset,
                         std::uint32_t layer, std::optional<std::int32_t> level) {
  if (geometry_ == Geometry::g1d && !texture_.texels.levels.empty()) return {};
  if (level && (*level < 0 || static_cast<unsigned>(*level) >= levels_of(texture_))) return {};
  if (!level && is_layered(geometry_) && layer >= shape_.planes() - texture_.first_layer) return {};
  choose(static_cast<unsigned>(level.value_or(0)), layer);
  Vector<std::int64_t> place{};
  for (unsigned d = 0; d < dimensions(geometry_); ++d) {
    const std::int64_t wanted = std::int64_t{at[d]} + offset[d];
    place[d] = std::clamp<std::int64_t>(wanted, 0, size(d) - 1);
    if (!level && place[d] != wanted) return {};
  }
  return texel_channels(texel(place[0], place[1], place[2]), shape_, as_floats_, srgb_);
}

Channels Sampling::gather(unsigned component, const Vector<float>& at, const Vector<std::int32_t>& offset,
                          std::uint32_t layer) {
  choose(0, layer);
  Vector<Place> place{};
  for (unsigned d = 0; d < 2; ++d)
    place[d] = gathered({size(d), sampler_.address[d], sampler_.normalized_coordinates}, at[d], offset[d]);
  // Signed bytes are widened as for a sum even by a point filter.
  const bool widened = sampler_.filter == Filter::linear || shape_.format == memory::ChannelFormat::s8;
  const bool summed = widened && as_floats_;
  const auto channel = [&](std::int64_t x, std::int64_t y) {
    const std::byte* const found = texel(x, y, 0);
    const Plane alone{Corner{found, 256}};
    return (summed ? blend({&alone, 1}, shape_, srgb_)
                   : texel_channels(found, shape_, as_floats_, srgb_))[component];
  };
  return {channel(place[0].low, place[1].high), channel(place[0].high, place[1].high),
          channel(place[0].high, place[1].low), channel(place[0].low, place[1].low)};
}

}  // namespace wedjat::exec
