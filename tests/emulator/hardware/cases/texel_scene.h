// What texture and surface instructions of the inventory meet: a texture or a surface for each warp, all of
// them different.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/memory/textures.h"

namespace wedjat::hardware_truth {

// One texture or surface.
struct Scene {
  enum class Place : unsigned char { array, linear, pitch };  // CUresourcetype; a mipmapped array has levels

  memory::ArrayShape shape;  // of level 0
  unsigned levels = 1;
  Place place = Place::array;
  memory::Sampler sampler;  // of textures
  std::uint64_t seed = 0;   // of the texels

  std::uint64_t level_bytes(unsigned level) const { return shape.at_level(level).bytes(); }
  // Of one level, row by row, without gaps.
  std::vector<std::byte> texels(unsigned level) const;
};

inline constexpr std::uint64_t kPitch = 512;  // bytes from row to row in device memory

struct SceneSet {
  bool surfaces = false, stored = false;  // textures; instructions write to them
  std::vector<Scene> scenes;              // one a warp
};

// What lanes read of a texture: numbers with a fraction, or which integers.
enum class Reads : unsigned char { real, natural, integer };

// Textures of a geometry as PTX writes it; `fetched`: read at integer coordinates. Made once and kept.
const SceneSet& texture_scenes(std::string_view geometry, Reads reads, bool fetched);

// Surfaces of a geometry whose texels have `bytes` bytes (0: all kinds), `most` channels or fewer;
// `integers`: and nothing but integers of 32 bits.
struct SurfaceWish {
  unsigned bytes = 0, most = 4;
  bool integers = false, stored = false;
};
const SceneSet& surface_scenes(std::string_view geometry, const SurfaceWish& wish);

// Of every geometry: what txq and suq are asked about.
const SceneSet& queried_scenes(bool surfaces);

}  // namespace wedjat::hardware_truth
