// How 256 parts are shared among the texels around a place. Measured: all pairs of two axes, and 1.2 million
// samples of three axes and of two levels.
#pragma once
#include <array>

namespace wedjat::exec {

struct Shares {
  unsigned low, high;
};

/// Between two texels along the first axis: the upper share to the nearest, ties up.
constexpr Shares share(unsigned total, unsigned weight) {
  const unsigned high = (total * weight + 128) >> 8;
  return {total - high, high};
}

/// The same with ties to the lower one: between two planes of a volume.
constexpr Shares share_low(unsigned total, unsigned weight) {
  const unsigned low = (total * (256 - weight) + 128) >> 8;
  return {low, total - low};
}

/// Of the corners (x, y) = 00 10 01 11 of a plane that has `total`.
constexpr std::array<unsigned, 4> corners(unsigned total, unsigned x, unsigned y) {
  const Shares columns = share(total, x);
  const Shares left = share_low(columns.low, y), right = share(columns.high, y);
  return {left.low, right.low, left.high, right.high};
}

/// Where three texels of a cube meet: the share of the fourth, which is missing, goes to the three, to the
/// opposite one what is left of thirds.
constexpr std::array<unsigned, 4> without(std::array<unsigned, 4> corner, unsigned missing) {
  const unsigned total = corner[missing], third = (2 * total + 3) / 6;
  for (unsigned i = 0; i < 4; ++i) corner[i] += i == (missing ^ 3) ? total - 2 * third : third;
  corner[missing] = 0;
  return corner;
}

}  // namespace wedjat::exec
