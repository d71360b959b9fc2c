#include "emulator/exec/texture/place.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace wedjat::exec {

using memory::AddressMode;

namespace {

// x 2^`fraction`, rounded down. NaN and subnormals are 0.
std::int64_t fixed(float x, int fraction) {
  if (!std::isnormal(x)) x = std::isinf(x) ? std::copysign(0x1p24f, x) : 0;
  return static_cast<std::int64_t>(
      std::floor(std::ldexp(static_cast<double>(std::clamp(x, -0x1p24f, 0x1p24f)), fraction)));
}

// Without normalised coordinates there is nothing to repeat.
AddressMode mode_of(const Axis& axis) {
  const bool repeats = axis.mode == AddressMode::wrap || axis.mode == AddressMode::mirror;
  return repeats && !axis.normalized ? AddressMode::clamp : axis.mode;
}

// In 1/256 texels from the centre of texel 0, to the nearest.
std::int64_t from_centre(std::int64_t at, std::int32_t offset) {
  return ((at + 1) >> 1) - 128 + std::int64_t{offset} * 256;
}

Place around(const Axis& axis, std::int64_t steps) {
  const AddressMode mode = mode_of(axis);
  const std::int64_t low = steps >> 8;
  return {addressed(low, axis.size, mode), addressed(low + 1, axis.size, mode),
          static_cast<unsigned>(steps & 255)};
}

}  // namespace

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

// Rounded down. A normalised coordinate has 21 bits of fraction, more where 1/256 of a texel needs them.
std::int64_t half_steps(const Axis& axis, float x) {
  if (!axis.normalized) return fixed(x, 9);
  const int fraction =
      std::max(21, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(axis.size - 1))) + 8);
  return fixed(x, fraction) * axis.size >> (fraction - 9);
}

std::int64_t half_steps_on_face(std::int64_t size, std::int64_t x) { return x * size >> (21 - 9); }

std::int64_t nearest(const Axis& axis, std::int64_t at, std::int32_t offset) {
  return addressed((at >> 9) + offset, axis.size, mode_of(axis));
}

Place between(const Axis& axis, std::int64_t at, std::int32_t offset) {
  std::int64_t steps = from_centre(at, offset);
  if (mode_of(axis) == AddressMode::clamp) steps = std::clamp<std::int64_t>(steps, 0, (axis.size - 1) * 256);
  return around(axis, steps);
}

Place gathered(const Axis& axis, std::int64_t at, std::int32_t offset) {
  return around(axis, from_centre(at, offset));
}

Place crossing(std::int64_t at) {
  const std::int64_t steps = from_centre(at, 0);
  return {steps >> 8, (steps >> 8) + 1, static_cast<unsigned>(steps & 255)};
}

}  // namespace wedjat::exec
