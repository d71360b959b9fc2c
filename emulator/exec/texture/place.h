// Coordinates to texels along one axis (CUDA programming guide, texture fetching).
#pragma once
#include <cstdint>

#include "emulator/memory/textures.h"

namespace wedjat::exec {

constexpr std::int64_t outside = -1;  ///< a texel that is the border

/// One axis of a level: its texels and how coordinates mean them.
struct Axis {
  std::int64_t size;
  memory::AddressMode mode;
  bool normalized;
};

/// A texel, its neighbour above, and the neighbour's weight in 1/256.
struct Place {
  std::int64_t low = 0, high = 0;
  unsigned weight = 0;
};

/// The texel that index i means, or `outside`.
std::int64_t addressed(std::int64_t i, std::int64_t size, memory::AddressMode mode);

/// A coordinate in 1/512 texels of the axis; one of a cube's face that has `size` texels, from FacePoint.
std::int64_t half_steps(const Axis& axis, float x);
std::int64_t half_steps_on_face(std::int64_t size, std::int64_t x);

/// The texel at `at` (in 1/512 texels), `offset` texels on.
std::int64_t nearest(const Axis& axis, std::int64_t at, std::int32_t offset);
/// The texels whose centres `at` lies between.
Place between(const Axis& axis, std::int64_t at, std::int32_t offset);
/// The same for tld4, which does not weigh.
Place gathered(const Axis& axis, std::int64_t at, std::int32_t offset);
/// The same with texels that may lie outside, of a face whose edges are crossed.
Place crossing(std::int64_t at);

}  // namespace wedjat::exec
