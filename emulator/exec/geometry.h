// Words of texture and surface instructions, as generated executors write them (PTX ISA 9.7.10, 9.7.11).
#pragma once
#include <cstdint>

#include "emulator/memory/array.h"

namespace wedjat::exec {

/// a: layered, the layer is the first coordinate.
enum class Geometry : std::uint8_t { g1d, g2d, g3d, ga1d, ga2d, gcube, gacube };

inline bool is_cube(Geometry geometry) { return geometry == Geometry::gcube || geometry == Geometry::gacube; }
inline bool is_layered(Geometry geometry) {
  return geometry == Geometry::ga1d || geometry == Geometry::ga2d || geometry == Geometry::gacube;
}

/// Coordinates but the layer.
inline unsigned dimensions(Geometry geometry) {
  if (geometry == Geometry::g3d || is_cube(geometry)) return 3;
  return geometry == Geometry::g2d || geometry == Geometry::ga2d ? 2 : 1;
}

/// What txq and suq ask for; then what formatted surface accesses do (semantics/surface/surface.psem).
enum class Query : std::uint8_t {
  width,
  height,
  depth,
  array_size,
  num_mipmap_levels,
  normalized_coords,
  channels,
  channel_bytes,
  channel_kind
};

/// The answer that the shape holds: an extent it does not have is 0.
inline std::uint32_t extent(const memory::ArrayShape& shape, Query query) {
  const std::uint64_t extent = query == Query::width        ? shape.width
                               : query == Query::height     ? shape.height
                               : query == Query::array_size ? (shape.layered ? shape.depth : 0)
                                                            : (shape.layered ? 0 : shape.depth);
  return static_cast<std::uint32_t>(extent);
}

}  // namespace wedjat::exec
