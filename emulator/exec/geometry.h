// Words of texture and surface instructions, as generated executors write them (PTX ISA 9.7.10, 9.7.11).
#pragma once
#include <cstdint>

namespace wedjat::exec {

/// a: layered, the layer is the first coordinate.
enum class Geometry : std::uint8_t { g1d, g2d, g3d, ga1d, ga2d };

inline bool is_layered(Geometry geometry) { return geometry == Geometry::ga1d || geometry == Geometry::ga2d; }

/// Coordinates but the layer.
inline unsigned dimensions(Geometry geometry) {
  return geometry == Geometry::g3d ? 3 : geometry == Geometry::g2d || geometry == Geometry::ga2d ? 2 : 1;
}

/// What txq and suq ask for.
enum class Query : std::uint8_t {
  width, height, depth, array_size, channel_data_type, channel_order, memory_layout, num_mipmap_levels,
  num_samples, normalized_coords, force_unnormalized_coords, filter_mode, addr_mode_0, addr_mode_1, addr_mode_2,
};

}  // namespace wedjat::exec
