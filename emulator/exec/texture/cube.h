// Directions to the faces of a cube map, and across their edges (CUDA programming guide, cubemap textures).
#pragma once
#include <array>
#include <cstdint>

namespace wedjat::exec {

/// A face (+x -x +y -y +z -z) and where on it.
struct FacePoint {
  unsigned face = 0;
  std::int64_t s = 0, t = 0;
};

/// The face that a direction meets. A part that is NaN is never the greatest.
unsigned face_of(const std::array<float, 3>& direction);

/// With 0 for parts that are NaN or subnormal.
std::array<float, 3> cleaned(std::array<float, 3> direction);

/// Of a direction whose greatest part is about 1; a face has 2^`bits` places along s and t.
FacePoint face_point(const std::array<float, 3>& direction, int bits);

struct FaceTexel {
  unsigned face = 0;
  std::int64_t x = 0, y = 0;
};

/// Whether the texel lies outside a face of `size` texels along both axes: at a corner only three meet.
bool beyond_corner(const FaceTexel& texel, std::int64_t size);

/// The texel itself, or the one of the neighbouring face that lies beyond the edge.
FaceTexel across_edge(const FaceTexel& texel, std::int64_t size);

}  // namespace wedjat::exec
