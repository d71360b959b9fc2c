// Coordinates to texels along one axis (CUDA programming guide, texture fetching).
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "emulator/memory/textures.h"

namespace wedjat::exec {

constexpr std::int64_t outside = -1;  ///< a texel that is the border

/// One axis of a level: its texels and how coordinates mean them.
struct Axis {
  std::int64_t size;
  memory::AddressMode mode;
  bool normalized;

  /// Without normalised coordinates there is nothing to repeat.
  memory::AddressMode real_mode() const {
    const bool repeats = mode == memory::AddressMode::wrap || mode == memory::AddressMode::mirror;
    return repeats && !normalized ? memory::AddressMode::clamp : mode;
  }
};

/// A texel, its neighbour above, and the neighbour's weight in 1/256.
struct Place {
  std::int64_t low = 0, high = 0;
  unsigned weight = 0;
};

/// The texel that index i means, or `outside`.
inline std::int64_t addressed(std::int64_t i, std::int64_t size, memory::AddressMode mode) {
  if (i >= 0 && i < size) return i;
  switch (mode) {
    case memory::AddressMode::wrap:
      return ((i % size) + size) % size;
    case memory::AddressMode::mirror: {
      const std::int64_t turn = ((i % (2 * size)) + 2 * size) % (2 * size);
      return turn < size ? turn : 2 * size - 1 - turn;
    }
    case memory::AddressMode::clamp:
      return std::clamp<std::int64_t>(i, 0, size - 1);
    case memory::AddressMode::border:
      break;
  }
  return outside;
}

/// x 2^`fraction`, rounded down. NaN and subnormals are 0.
inline std::int64_t fixed(float x, int fraction) {
  if (!(std::abs(x) >= 0x1p-126f)) return 0;
  const double scale = std::bit_cast<double>(static_cast<std::uint64_t>(1023 + fraction) << 52);
  const double steps = static_cast<double>(std::clamp(x, -0x1p24f, 0x1p24f)) * scale;
  const auto cut = static_cast<std::int64_t>(steps);
  return cut - (static_cast<double>(cut) > steps);
}

/// The bits of fraction that a normalised coordinate has along so many texels.
inline int fraction_bits(std::int64_t size) { return size <= 1 << 13 ? 21 : size <= 1 << 16 ? 22 : 23; }

/// A coordinate in 1/512 texels of the axis, rounded down.
inline std::int64_t half_steps(const Axis& axis, float x) {
  if (!axis.normalized) return fixed(x, 9);
  const int fraction = fraction_bits(axis.size);
  return fixed(x, fraction) * axis.size >> (fraction - 9);
}

/// The same of a cube's face that has `size` texels, from FacePoint.
inline std::int64_t half_steps_on_face(std::int64_t size, std::int64_t x) {
  return x * size >> (fraction_bits(size) - 9);
}

/// The texel at `at` (in 1/512 texels), `offset` texels on.
inline std::int64_t nearest(const Axis& axis, std::int64_t at, std::int32_t offset) {
  return addressed((at >> 9) + offset, axis.size, axis.real_mode());
}

namespace detail {

// In 1/256 texels from the centre of texel 0, to the nearest.
inline std::int64_t from_centre(std::int64_t at, std::int32_t offset) {
  return ((at + 1) >> 1) - 128 + std::int64_t{offset} * 256;
}

inline Place around(const Axis& axis, std::int64_t steps) {
  const memory::AddressMode mode = axis.real_mode();
  const std::int64_t low = steps >> 8;
  return {addressed(low, axis.size, mode), addressed(low + 1, axis.size, mode),
          static_cast<unsigned>(steps & 255)};
}

}  // namespace detail

/// The texels whose centres `at` lies between.
inline Place between(const Axis& axis, std::int64_t at, std::int32_t offset) {
  std::int64_t steps = detail::from_centre(at, offset);
  if (axis.real_mode() == memory::AddressMode::clamp)
    steps = std::clamp<std::int64_t>(steps, 0, (axis.size - 1) * 256);
  return detail::around(axis, steps);
}

/// The same for tld4, which does not weigh.
inline Place gathered(const Axis& axis, std::int64_t at, std::int32_t offset) {
  return detail::around(axis, detail::from_centre(at, offset));
}

/// The same with texels that may lie outside, of a face whose edges are crossed.
inline Place crossing(std::int64_t at) {
  const std::int64_t steps = detail::from_centre(at, 0);
  return {steps >> 8, (steps >> 8) + 1, static_cast<unsigned>(steps & 255)};
}

}  // namespace wedjat::exec
