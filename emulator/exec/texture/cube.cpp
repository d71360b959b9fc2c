#include "emulator/exec/texture/cube.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace wedjat::exec {

namespace {

// How s and t of a face run along the axes x y z, as -1, 0, 1.
struct Turn {
  std::array<int, 3> s, t;
};
constexpr std::array<Turn, 6> turns{{{{0, 0, -1}, {0, -1, 0}},
                                     {{0, 0, 1}, {0, -1, 0}},
                                     {{1, 0, 0}, {0, 0, 1}},
                                     {{1, 0, 0}, {0, 0, -1}},
                                     {{1, 0, 0}, {0, -1, 0}},
                                     {{-1, 0, 0}, {0, -1, 0}}}};

template <class T>
T along(const std::array<int, 3>& axis, const std::array<T, 3>& place) {
  for (unsigned d = 0; d < 3; ++d)
    if (axis[d] != 0) return axis[d] < 0 ? -place[d] : place[d];
  return 0;
}

bool outside_of(std::int64_t i, std::int64_t size) { return i < 0 || i >= size; }

}  // namespace

unsigned face_of(const std::array<float, 3>& direction) {
  std::array<float, 3> length{};
  for (unsigned d = 0; d < 3; ++d) length[d] = std::isnan(direction[d]) ? -1 : std::abs(direction[d]);
  const unsigned axis = length[2] >= std::max(length[0], length[1]) ? 2 : length[1] >= length[0] ? 1 : 0;
  return 2 * axis + (direction[axis] <= -std::numeric_limits<float>::min());  // no subnormals
}

std::array<float, 3> cleaned(std::array<float, 3> direction) {
  for (float& part : direction)
    if (!std::isnormal(part) && !std::isinf(part)) part = 0;
  return direction;
}

FacePoint face_point(const std::array<float, 3>& direction, int bits) {
  const unsigned face = face_of(direction);
  const std::array<float, 3> part = cleaned(direction);
  const auto fixed = [half = bits - 1](float x) {
    const double step = std::ldexp(static_cast<double>(std::clamp(x, -1.f, 1.f)), half);
    return (1 << half) + static_cast<std::int64_t>(std::floor(step));
  };
  return {face, fixed(along(turns[face].s, part)), fixed(along(turns[face].t, part))};
}

bool beyond_corner(const FaceTexel& texel, std::int64_t size) {
  return outside_of(texel.x, size) && outside_of(texel.y, size);
}

FaceTexel across_edge(const FaceTexel& texel, std::int64_t size) {
  const bool over_s = outside_of(texel.x, size), over_t = outside_of(texel.y, size);
  if (!over_s && !over_t) return texel;
  // Centres of texels in halves of one, from the middle of the cube.
  const std::int64_t s = 2 * texel.x + 1 - size, t = 2 * texel.y + 1 - size;
  const unsigned from = texel.face / 2;
  std::array<std::int64_t, 3> place{};
  for (unsigned d = 0; d < 3; ++d) place[d] = turns[texel.face].s[d] * s + turns[texel.face].t[d] * t;
  place[from] = texel.face % 2 == 0 ? size - 1 : 1 - size;
  unsigned to = 0;
  while (place[to] >= -size && place[to] <= size) ++to;
  const unsigned face = 2 * to + (place[to] < 0);
  return {face, (along(turns[face].s, place) + size - 1) / 2, (along(turns[face].t, place) + size - 1) / 2};
}

}  // namespace wedjat::exec
