// Rows and planes of a single level, read by all lanes of a warp at once: what sample() does for each.
#include "emulator/exec/texture/blend_lanes.h"
#include "emulator/exec/texture/sampling.h"
#include "emulator/exec/texture/weights.h"

namespace wedjat::exec {

namespace {

struct LanePlaces {
  LaneRow<std::int64_t> low, high;
  LaneRow<std::uint32_t> weight;
  std::uint32_t outside = 0;  // lanes of which a texel is the border
};

// Where a place lies on a texel, its neighbour does not count and is the texel itself.
LanePlaces places(const Axis& axis, bool linear, const LaneRow<float>& at,
                  const LaneRow<std::int32_t>& offset) {
  LaneRow<std::int64_t> steps;
  for (unsigned lane = 0; lane < 32; ++lane) steps[lane] = half_steps(axis, at[lane]);
  LanePlaces to;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const Place place = linear ? between(axis, steps[lane], offset[lane])
                               : Place{nearest(axis, steps[lane], offset[lane]), 0, 0};
    to.low[lane] = place.low;
    to.high[lane] = place.weight == 0 ? place.low : place.high;
    to.weight[lane] = place.weight;
    to.outside |= static_cast<std::uint32_t>(to.low[lane] == outside || to.high[lane] == outside) << lane;
  }
  for (std::uint32_t rest = to.outside; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    to.low[lane] = to.high[lane] = 0;
  }
  return to;
}

}  // namespace

bool Sampling::reads_plane() const {
  const bool wanted = memory_ != nullptr && memory_->tells;
  const bool weighs_integers = sampler_.filter == memory::Filter::linear && reading_ == Reading::integers;
  return data_ != nullptr && !wanted && !weighs_integers && !mipmapped_ && axis_count_ == 2 &&
         !is_cube(geometry_) && !is_layered(geometry_);
}

std::uint32_t Sampling::sample_plane(const std::array<LaneRow<float>, 2>& at,
                                     const std::array<LaneRow<std::int32_t>, 2>& offset,
                                     Channels* texel) const {
  const bool linear = sampler_.filter == memory::Filter::linear;
  const LanePlaces x = places(axes_[0], linear, at[0], offset[0]),
                   y = places(axes_[1], linear, at[1], offset[1]);
  const auto behind = [&](std::int64_t column, std::int64_t row) {
    return static_cast<std::uint64_t>(row) * row_bytes_ + static_cast<std::uint64_t>(column) * texel_bytes_;
  };
  const std::uint32_t at_border = x.outside | y.outside;
  if (!linear) {
    for (unsigned lane = 0; lane < 32; ++lane)
      texel[lane] = texel_channels(data_ + behind(x.low[lane], y.low[lane]), shape_, reading_);
    return at_border;
  }
  LaneCorners corner;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const auto weight = corners(256, x.weight[lane], y.weight[lane]);
    for (unsigned i = 0; i < 4; ++i) {
      corner.offset[i][lane] = behind(i & 1 ? x.high[lane] : x.low[lane], i & 2 ? y.high[lane] : y.low[lane]);
      corner.weight[i][lane] = weight[i];
    }
  }
  return at_border | blend_lanes(data_, corner, shape_, reading_, texel);
}

}  // namespace wedjat::exec
