#include "emulator/exec/texture/sampling.h"

#include <algorithm>
#include <utility>

#include "emulator/exec/texture/level.h"
#include "emulator/exec/texture/weights.h"

namespace wedjat::exec {

using memory::AddressMode;
using memory::Filter;

namespace {

constexpr std::uint64_t faces = 6;

// A texture of one dimension is a row of a plane; a cube map's direction is a place on a face.
unsigned axes_of(Geometry geometry) {
  return geometry == Geometry::g1d || is_cube(geometry) ? 2 : dimensions(geometry);
}

unsigned levels_of(const memory::Texture& texture) {
  const auto all = static_cast<unsigned>(std::max<std::size_t>(texture.texels.levels.size(), 1));
  return std::min(all - 1, texture.last_level) - texture.first_level + 1;
}

}  // namespace

Sampling::Sampling(const memory::Texture& texture, const memory::Sampler& sampler, Geometry geometry,
                   TexelMemory* memory)
    : texture_(texture),
      sampler_(sampler),
      geometry_(geometry),
      memory_(memory),
      seamless_(is_cube(geometry) && sampler.seamless_cubemap),
      mipmapped_(texture.texels.levels.size() > 1),
      axis_count_(axes_of(geometry)),
      levels_(levels_of(texture)),
      level_(texture.first_level),
      reading_(reading_of(texture.texels.shape, sampler)) {
  enter_level();
  for (unsigned d = 0; d < axis_count_; ++d)
    if (axes_[d].mode == AddressMode::border) border_ = border_texel(shape_, sampler_);
}

void Sampling::enter_level() {
  shape_ = texture_.texels.shape.at_level(level_);
  texel_bytes_ = shape_.texel_bytes();
  const std::uint64_t planes = shape_.layered || shape_.cubemap ? 1 : shape_.planes();
  const std::array<std::uint64_t, 3> size{shape_.width, shape_.rows(), planes};
  for (unsigned d = 0; d < 3; ++d)
    axes_[d] = {d < dimensions(geometry_) ? static_cast<std::int64_t>(size[d]) : 1,
                seamless_ ? AddressMode::clamp : sampler_.address[d], sampler_.normalized_coordinates};
  const bool in_array = !texture_.texels.levels.empty();
  row_bytes_ = in_array ? shape_.row_bytes() : texture_.texels.pitch;
  plane_bytes_ = shape_.rows() * row_bytes_;
  const std::uint64_t first = plane_bytes_ * (shape_.cubemap ? faces * layer_ : shape_.layered ? layer_ : 0);
  data_ = in_array ? texture_.texels.levels[level_]->data() + first : nullptr;
  address_ = in_array ? texture_.texels.levels[level_]->address() + first : texture_.texels.address;
}

void Sampling::choose(unsigned level, std::uint32_t layer) {
  std::uint64_t wanted = 0;
  if (shape_.layered || shape_.cubemap) {
    const std::uint64_t layers = shape_.planes() / (shape_.cubemap ? faces : 1);
    wanted = std::min(
        {std::uint64_t{layer} + texture_.first_layer, layers - 1, std::uint64_t{texture_.last_layer}});
  }
  if (level_ == level + texture_.first_level && wanted == layer_) return;
  level_ = level + texture_.first_level;
  layer_ = wanted;
  enter_level();
}

Sampling::Position Sampling::position(const Vector<float>& at) const {
  if (is_cube(geometry_)) {
    const FacePoint point = face_point(at, fraction_bits(size(0)));
    return {{half_steps_on_face(size(0), point.s), half_steps_on_face(size(1), point.t)}, point.face};
  }
  Position result;
  for (unsigned d = 0; d < axis_count_; ++d) result.steps[d] = half_steps(axes_[d], at[d]);
  return result;
}

const std::byte* Sampling::texel(std::int64_t x, std::int64_t y, std::int64_t z) const {
  if (x == outside || y == outside || z == outside) return border_.data();
  const std::uint64_t offset = static_cast<std::uint64_t>(z) * plane_bytes_ +
                               static_cast<std::uint64_t>(y) * row_bytes_ +
                               static_cast<std::uint64_t>(x) * texel_bytes_;
  if (memory_ != nullptr && memory_->tells) memory_->tell(address_ + offset, texel_bytes_);
  return data_ != nullptr ? data_ + offset : memory_->reach(address_ + offset, texel_bytes_);
}

// Where a corner of the cube leaves no texel: null.
const std::byte* Sampling::texel_across(std::int64_t x, std::int64_t y, std::int64_t z) const {
  if (!seamless()) return texel(x, y, z);
  const FaceTexel wanted{static_cast<unsigned>(z), x, y};
  if (beyond_corner(wanted, size(0))) return nullptr;
  const FaceTexel found = across_edge(wanted, size(0));
  return texel(found.x, found.y, found.face);
}

// Nothing is weighed.
Channels Sampling::near(const Position& at, const Vector<std::int32_t>& offset) const {
  Vector<std::int64_t> place{0, 0, at.face};
  for (unsigned d = 0; d < axis_count_; ++d) place[d] = nearest(axes_[d], at.steps[d], offset[d]);
  return texel_channels(texel(place[0], place[1], place[2]), shape_, reading_);
}

// The texels around a place of a plane, which have `total` of 256 together.
Plane Sampling::around(const Place& x, const Place& y, std::int64_t z, unsigned total) const {
  auto weight = corners(total, x.weight, y.weight);
  Plane plane{};
  for (unsigned i = 0; i < 4; ++i) {
    const bool right = i & 1, below = i & 2;
    if ((right && x.weight == 0) || (below && y.weight == 0)) continue;
    plane[i].texel = texel_across(right ? x.high : x.low, below ? y.high : y.low, z);
    if (plane[i].texel == nullptr) weight = without(weight, i);
  }
  for (unsigned i = 0; i < 4; ++i) plane[i].weight = weight[i];
  return plane;
}

Channels Sampling::sample(const Vector<float>& at, const Vector<std::int32_t>& offset, std::uint32_t layer,
                          std::optional<int> level) {
  constexpr int finest = -32 * 256;  // what ptxas asks for where no level is written
  const Level chosen = mipmapped_ ? level_at(sampler_, levels_, level.value_or(finest)) : Level{};
  const bool linear = sampler_.filter == Filter::linear;
  std::array<Plane, 4> planes;
  unsigned count = 0;
  for (unsigned coarser = 0; coarser < (chosen.weight == 0 ? 1 : 2); ++coarser) {
    choose(chosen.finer + coarser, layer);
    const Position where = position(at);
    if (!linear && chosen.weight == 0) return near(where, offset);
    Vector<Place> place;
    place[2].low = where.face;
    for (unsigned d = 0; d < axis_count_; ++d)
      if (!linear)
        place[d].low = nearest(axes_[d], where.steps[d], offset[d]);
      else
        place[d] = seamless() ? crossing(where.steps[d]) : between(axes_[d], where.steps[d], offset[d]);
    const Shares depth = share_low(coarser ? chosen.weight : 256 - chosen.weight, place[2].weight);
    planes[count++] = around(place[0], place[1], place[2].low, depth.low);
    if (place[2].weight != 0) planes[count++] = around(place[0], place[1], place[2].high, depth.high);
  }
  return blend(std::span(planes.data(), count), shape_, reading_);
}

Channels Sampling::fetch(const Vector<std::int32_t>& at, const Vector<std::int32_t>& offset,
                         std::uint32_t layer, std::optional<std::int32_t> level) {
  // A line of device memory has one level and no offsets, whatever is asked for.
  if (geometry_ == Geometry::g1d && shape_.height == 0)
    return fetch(level ? std::clamp<std::int64_t>(at[0], 0, size(0) - 1) : std::int64_t{at[0]});
  if (level && (*level < 0 || static_cast<unsigned>(*level) >= levels_of(texture_))) return {};
  if (!level && is_layered(geometry_) && layer >= shape_.planes() - texture_.first_layer) return {};
  choose(static_cast<unsigned>(level.value_or(0)), layer);
  Vector<std::int64_t> place{};
  for (unsigned d = 0; d < dimensions(geometry_); ++d) {
    const std::int64_t wanted = std::int64_t{at[d]} + offset[d];
    place[d] = std::clamp<std::int64_t>(wanted, 0, size(d) - 1);
    if (!level && place[d] != wanted) return {};
  }
  return texel_channels(texel(place[0], place[1], place[2]), shape_, reading_);
}

Channels Sampling::fetch(std::int64_t at) const {
  const bool found = texture_.texels.levels.empty() || shape_.height != 0;
  if (!found || at < 0 || static_cast<std::uint64_t>(at) >= shape_.width) return {};
  return texel_channels(texel(at, 0, 0), shape_, reading_);
}

Channels Sampling::gather(unsigned component, const Vector<float>& at, const Vector<std::int32_t>& offset,
                          std::uint32_t layer) {
  choose(0, layer);
  const Position where = position(at);
  Vector<Place> place{};
  for (unsigned d = 0; d < 2; ++d)
    place[d] = seamless() ? crossing(where.steps[d]) : gathered(axes_[d], where.steps[d], offset[d]);
  std::array<const std::byte*, 4> found{};
  for (unsigned i = 0; i < 4; ++i)
    found[i] =
        texel_across(i & 1 ? place[0].high : place[0].low, i & 2 ? place[1].high : place[1].low, where.face);
  // Signed bytes are widened as for a sum even by a point filter.
  const bool widened = sampler_.filter == Filter::linear || shape_.format == memory::ChannelFormat::s8;
  const auto channel = [&](unsigned i) {
    if (found[i] != nullptr && !(widened && reading_ != Reading::integers))
      return texel_channels(found[i], shape_, reading_)[component];
    std::array<unsigned, 4> weight{};
    weight[i] = 256;
    if (found[i] == nullptr) weight = without(weight, i);
    Plane plane{};
    for (unsigned c = 0; c < 4; ++c)
      if (weight[c] != 0) plane[c] = {found[c], weight[c]};
    return blend({&plane, 1}, shape_, reading_)[component];
  };
  return {channel(2), channel(3), channel(1), channel(0)};
}

}  // namespace wedjat::exec
