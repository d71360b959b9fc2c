// One read of a texture, from coordinates to channels.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "emulator/exec/texture/blend.h"
#include "emulator/exec/texture/blend_lanes.h"
#include "emulator/exec/texture/cube.h"
#include "emulator/exec/texture/geometry.h"
#include "emulator/exec/texture/place.h"
#include "emulator/exec/texture/texel.h"
#include "emulator/memory/textures.h"

namespace wedjat::exec {

/// x y z; of a layered texture without the layer; of a cube map a direction.
template <class T>
using Vector = std::array<T, 3>;

/// Where texels in device memory are found, and who is told which are read.
class TexelMemory {
 public:
  virtual const std::byte* reach(std::uint64_t address, unsigned bytes) = 0;
  virtual void tell(std::uint64_t address, unsigned bytes) = 0;
  bool tells = false;

 protected:
  ~TexelMemory() = default;
};

class Sampling {
 public:
  /// Keeps references; `memory` may be null for an array of which nobody is told.
  Sampling(const memory::Texture& texture, const memory::Sampler& sampler, Geometry geometry,
           TexelMemory* memory);

  /// tex by real coordinates. `layer` is cut to those there are; the level in 1/256, without one the finest
  /// allowed.
  Channels sample(const Vector<float>& at, const Vector<std::int32_t>& offset, std::uint32_t layer,
                  std::optional<int> level);
  /// Whether all lanes may sample at once: a row or a plane of one level of an array.
  bool reads_plane() const;
  /// sample() of all lanes of a warp, along two axes; gives those that must be done one by one.
  std::uint32_t sample_plane(const std::array<LaneRow<float>, 2>& at,
                             const std::array<LaneRow<std::int32_t>, 2>& offset, Channels* texel) const;
  /// tex by integer coordinates, which no address mode changes: outside is 0. With a level only the level is
  /// asked to be inside, the others are cut to those there are. Lines are found in device memory and in
  /// planes.
  Channels fetch(const Vector<std::int32_t>& at, const Vector<std::int32_t>& offset, std::uint32_t layer,
                 std::optional<std::int32_t> level);
  /// The same along a line, without a level or offsets.
  Channels fetch(std::int64_t at) const;
  /// tld4: channel `component` of the four texels around.
  Channels gather(unsigned component, const Vector<float>& at, const Vector<std::int32_t>& offset,
                  std::uint32_t layer);

 private:
  // Where coordinates fall on the chosen level: of each axis in 1/512 texels, and the face of a cube.
  struct Position {
    Vector<std::int64_t> steps{};
    unsigned face = 0;
  };

  void choose(unsigned level, std::uint32_t layer);
  void enter_level();
  bool seamless() const { return seamless_; }
  std::int64_t size(unsigned dimension) const { return axes_[dimension].size; }
  Position position(const Vector<float>& at) const;
  const std::byte* texel(std::int64_t x, std::int64_t y, std::int64_t z) const;
  const std::byte* texel_across(std::int64_t x, std::int64_t y, std::int64_t z) const;
  Channels near(const Position& at, const Vector<std::int32_t>& offset) const;
  Plane around(const Place& x, const Place& y, std::int64_t z, unsigned total) const;

  const memory::Texture& texture_;
  const memory::Sampler& sampler_;
  Geometry geometry_;
  TexelMemory* memory_;
  bool seamless_, mipmapped_;
  unsigned axis_count_, levels_;
  memory::ArrayShape shape_;  // of the chosen level
  unsigned level_;
  std::uint64_t layer_ = 0;  // of a cube map: which cube
  Reading reading_;
  BorderTexel border_{};
  std::array<Axis, 3> axes_{};       // of the chosen level
  const std::byte* data_ = nullptr;  // of the chosen level and layer, if it is an array
  std::uint64_t address_ = 0;        // of the same
  std::uint64_t row_bytes_ = 0, plane_bytes_ = 0;
  unsigned texel_bytes_ = 0;
};

}  // namespace wedjat::exec
