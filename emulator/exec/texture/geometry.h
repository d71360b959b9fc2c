// Words of texture and surface instructions, as generated executors write them (PTX ISA 9.7.10, 9.7.11).
#pragma once
#include <cstdint>

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

/// What txq and suq ask for; then of formats, also for formatted surface accesses
/// (semantics/texture/channel.psem); of samplers; and istypep: whether the handle names such an object.
enum class Query : std::uint8_t {
  width,
  height,
  depth,
  array_size,
  num_mipmap_levels,
  normalized_coords,
  channels,
  channel_bytes,
  channel_kind,
  read_as_integer,
  filter_mode,
  addr_mode_0,
  addr_mode_1,
  addr_mode_2,
  force_unnormalized_coords,
  texref,
  samplerref,
  surfref
};

}  // namespace wedjat::exec
