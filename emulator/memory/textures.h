// What texture and surface instructions find behind a handle: where the texels lie and how they are sampled.
// Filled by whoever creates the objects (replay: from cuTexObjectCreate, cuSurfObjectCreate), read by
// executors.
#pragma once
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "emulator/memory/array.h"

namespace wedjat::memory {

enum class AddressMode : std::uint8_t { wrap, clamp, mirror, border };  ///< CUaddress_mode
enum class Filter : std::uint8_t { point, linear };                     ///< CUfilter_mode

/// How coordinates become texels and texels become values (CUDA_TEXTURE_DESC).
struct Sampler {
  AddressMode address[3] = {AddressMode::clamp, AddressMode::clamp, AddressMode::clamp};  ///< x y z
  Filter filter = Filter::point, mip_filter = Filter::point;
  bool normalized_coordinates = false;  ///< 0..1 spans the texture
  bool read_as_integer = false;         ///< else 8 and 16 bit integers become floats in 0..1 or -1..1
  bool srgb = false;
  bool seamless_cubemap = false, trilinear_optimization = true;
  unsigned max_anisotropy = 0;
  float mip_bias = 0, min_level = 0, max_level = 0;
  float border[4] = {};
};

/// A texture's own state with that of a sampler apart (texture mode independent): how texels become values
/// stays the texture's, and coordinates that are not normalised in either are not (.samplerref:
/// force_unnormalized_coords).
inline Sampler joined(const Sampler& texture, Sampler apart) {
  apart.normalized_coordinates = apart.normalized_coordinates && texture.normalized_coordinates;
  apart.read_as_integer = texture.read_as_integer;
  apart.srgb = texture.srgb;
  return apart;
}

/// Where the texels lie (CUDA_RESOURCE_DESC): an array, the levels of a mipmapped one, or device memory.
struct Texels {
  std::vector<std::shared_ptr<Array>> levels;  ///< 1 for an array, none for device memory
  std::uint64_t address = 0;                   ///< device memory: of the first texel
  std::uint64_t pitch = 0;  ///< device memory of two dimensions: bytes from row to row; else 0
  ArrayShape shape;         ///< of level 0, with the format that reads use
};

struct Texture {
  Texels texels;
  Sampler sampler;
  unsigned first_level = 0, last_level = ~0u, first_layer = 0, last_layer = ~0u;  ///< CUDA_RESOURCE_VIEW_DESC
};

struct Surface {
  std::shared_ptr<Array> array;
};

/// Handle to object. Not changed while a kernel runs.
class TextureTable {
 public:
  std::unordered_map<std::uint64_t, std::shared_ptr<Array>> arrays;  ///< CUarray
  std::unordered_map<std::uint64_t, std::vector<std::shared_ptr<Array>>>
      mipmapped_arrays;                                 ///< CUmipmappedArray
  std::unordered_map<std::uint64_t, Texture> textures;  ///< CUtexObject
  std::unordered_map<std::uint64_t, Surface> surfaces;  ///< CUsurfObject
  std::unordered_map<std::uint64_t, Sampler> samplers;  ///< .samplerref, by address

  /// Null if there is no such object.
  const Texture* texture(std::uint64_t handle) const {
    const auto found = textures.find(handle);
    return found == textures.end() ? nullptr : &found->second;
  }
  const Sampler* sampler(std::uint64_t handle) const {
    const auto found = samplers.find(handle);
    return found == samplers.end() ? nullptr : &found->second;
  }
  const Surface* surface(std::uint64_t handle) const {
    const auto found = surfaces.find(handle);
    return found == surfaces.end() ? nullptr : &found->second;
  }
};

}  // namespace wedjat::memory
