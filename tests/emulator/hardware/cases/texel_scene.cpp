#include "tests/emulator/hardware/cases/texel_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "tests/emulator/hardware/forms/inputs.h"
#include "tests/emulator/hardware/forms/random.h"

namespace wedjat::hardware_truth {
namespace {

using memory::AddressMode;
using memory::ChannelFormat;
using memory::Filter;

constexpr unsigned kScenes = kLanes / 32;
constexpr std::string_view kGeometries[] = {"1d", "2d", "3d", "a1d", "a2d", "cube", "acube"};

struct Texel {
  ChannelFormat format;
  unsigned channels;
};

constexpr Texel kReal[] = {{ChannelFormat::f32, 4}, {ChannelFormat::u8, 4},  {ChannelFormat::f16, 4},
                           {ChannelFormat::f32, 1}, {ChannelFormat::s16, 2}, {ChannelFormat::u8, 1},
                           {ChannelFormat::f32, 2}, {ChannelFormat::s8, 4},  {ChannelFormat::u16, 4},
                           {ChannelFormat::f16, 1}, {ChannelFormat::s8, 1},  {ChannelFormat::u16, 1}};
constexpr Texel kNatural[] = {{ChannelFormat::u32, 4}, {ChannelFormat::u8, 4},  {ChannelFormat::u16, 2},
                              {ChannelFormat::u32, 1}, {ChannelFormat::u16, 4}, {ChannelFormat::u8, 1}};
constexpr Texel kInteger[] = {{ChannelFormat::s32, 4}, {ChannelFormat::s8, 4},  {ChannelFormat::s16, 2},
                              {ChannelFormat::s32, 1}, {ChannelFormat::s16, 4}, {ChannelFormat::s8, 1}};
constexpr Texel kStored[] = {
    {ChannelFormat::u8, 1},  {ChannelFormat::u16, 1}, {ChannelFormat::u32, 1}, {ChannelFormat::u32, 2},
    {ChannelFormat::u32, 4}, {ChannelFormat::u8, 4},  {ChannelFormat::s8, 4},  {ChannelFormat::s16, 2},
    {ChannelFormat::f16, 4}, {ChannelFormat::f32, 1}, {ChannelFormat::f32, 4}, {ChannelFormat::u16, 4},
    {ChannelFormat::s32, 1}, {ChannelFormat::s32, 2}, {ChannelFormat::f32, 2}, {ChannelFormat::f16, 1},
    {ChannelFormat::s8, 1},  {ChannelFormat::u8, 2},  {ChannelFormat::s16, 4}, {ChannelFormat::f16, 2}};

bool starts(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

// Extents differ from scene to scene; odd ones and powers of two.
memory::ArrayShape texture_shape(std::string_view geometry, unsigned i, const Texel& texel) {
  memory::ArrayShape shape;
  shape.format = texel.format;
  shape.channels = texel.channels;
  if (geometry == "1d") {
    shape.width = 24 + i * 5 % 41;
  } else if (geometry == "a1d") {
    shape = {16 + i * 5 % 21, 0, 2 + i % 4, texel.format, texel.channels};
  } else if (geometry == "3d") {
    shape = {6 + i * 5 % 11, 5 + i * 3 % 12, 4 + i * 7 % 6, texel.format, texel.channels};
  } else if (geometry == "cube" || geometry == "acube") {
    const std::uint64_t edge = 4 + i * 3 % 13;
    shape = {edge, edge, geometry == "cube" ? 6u : 12 + i % 2 * 6, texel.format, texel.channels};
    shape.cubemap = true;
  } else {
    shape = {8 + i * 5 % 25, 6 + i * 7 % 20, starts(geometry, "a2d") ? 2 + i % 3 : 0u, texel.format,
             texel.channels};
  }
  shape.layered = geometry[0] == 'a';
  return shape;
}

// Rows of a multiple of 16 bytes, so that an access of any size fits; places for 32 of 16 bytes.
memory::ArrayShape surface_shape(std::string_view geometry, unsigned i, const Texel& texel) {
  memory::ArrayShape shape{512, 0, 0, texel.format, texel.channels};
  if (geometry == "2d") shape.width = 32 * (2 + i % 2), shape.height = 16 + i % 3;
  if (geometry == "3d") shape.width = 32, shape.height = 5 + i % 2, shape.depth = 4 + i % 3;
  if (geometry == "a1d") shape.width = 128, shape.depth = 4 + i % 3;
  if (geometry == "a2d") shape.width = 32, shape.height = 5 + i % 2, shape.depth = 4 + i % 3;
  shape.layered = geometry[0] == 'a';
  return shape;
}

memory::Sampler sampler_of(unsigned i, bool real, bool cube) {
  memory::Sampler sampler;
  sampler.normalized_coordinates = cube || i < 22;
  for (unsigned d = 0; d < 3; ++d) sampler.address[d] = static_cast<AddressMode>((i / 2 + d * (i / 8)) % 4);
  sampler.filter = real && i % 2 != 0 ? Filter::linear : Filter::point;
  sampler.read_as_integer = !real;
  const float border[4] = {0.25f, real ? -1.5f : 7, 3, 0.5f};
  std::copy_n(border, 4, sampler.border);
  return sampler;
}

Scene texture_scene(std::string_view geometry, Reads reads, bool fetched, unsigned i) {
  Scene scene;
  const bool real = reads == Reads::real, cube = geometry.find("cube") != geometry.npos;
  scene.shape = texture_shape(geometry, i,
                              real                      ? kReal[i * 5 / 2 % std::size(kReal)]
                              : reads == Reads::natural ? kNatural[i % std::size(kNatural)]
                                                        : kInteger[i % std::size(kInteger)]);
  scene.sampler = sampler_of(i, real, cube);
  scene.seed = 1000 + i;
  if (i >= 12 && i < 20) {
    scene.levels = 3;
    scene.sampler.mip_filter = real && i % 4 >= 2 ? Filter::linear : Filter::point;
    scene.sampler.max_level = i == 17 ? 1.25f : 2;
    scene.sampler.min_level = i == 18 ? 0.5f : 0;
    scene.sampler.mip_bias = i == 19 ? 0.75f : 0;
  }
  if (real && (i == 4 || i == 5)) {
    scene.shape.format = ChannelFormat::u8;
    scene.shape.channels = 4;
    scene.sampler.srgb = true;
  }
  scene.sampler.seamless_cubemap = cube && i % 3 == 1;
  if (i >= 28 && geometry == "2d") scene.place = Scene::Place::pitch;
  if (i >= 28 && geometry == "1d" && fetched) {
    scene.place = Scene::Place::linear;
    scene.sampler.filter = Filter::point;
  }
  return scene;
}

// Finite numbers of a wide range.
float some_float(Random& random) {
  const float value = static_cast<float>(static_cast<double>(random.bits() >> 11) * 0x1p-51 - 2);
  return random.below(8) != 0 ? value : value * 0x1p-10f;
}
std::uint16_t some_half(Random& random) {
  const std::uint64_t bits = random.bits();
  return static_cast<std::uint16_t>((bits & 0x83ff) | (8 + (bits >> 16) % 9) << 10);
}

template <class Make>
const SceneSet& kept(const std::string& key, Make make) {
  static std::map<std::string, SceneSet> sets;
  const auto found = sets.find(key);
  return found != sets.end() ? found->second : sets.emplace(key, make()).first->second;
}

}  // namespace

std::vector<std::byte> Scene::texels(unsigned level) const {
  Random random(seed * 64 + level);
  std::vector<std::byte> bytes(level_bytes(level));
  const unsigned size = memory::bytes_of(shape.format);
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    std::uint64_t word = random.bits();
    if (shape.format == ChannelFormat::f16) word = some_half(random);
    if (shape.format == ChannelFormat::f32) {
      const float value = some_float(random);
      std::memcpy(&word, &value, sizeof(value));
    }
    std::memcpy(&bytes[at], &word, size);
  }
  return bytes;
}

const SceneSet& texture_scenes(std::string_view geometry, Reads reads, bool fetched) {
  return kept(fmt::format("texture {} {} {}", geometry, static_cast<int>(reads), fetched), [&] {
    SceneSet set;
    for (unsigned i = 0; i < kScenes; ++i) set.scenes.push_back(texture_scene(geometry, reads, fetched, i));
    return set;
  });
}

const SceneSet& surface_scenes(std::string_view geometry, const SurfaceWish& wish) {
  return kept(
      fmt::format("surface {} {} {} {} {}", geometry, wish.bytes, wish.most, wish.integers, wish.stored),
      [&] {
        SceneSet set;
        set.surfaces = true;
        set.stored = wish.stored;
        for (unsigned i = 0; set.scenes.size() < kScenes; ++i) {
          Scene scene;
          scene.shape = surface_shape(geometry, i, kStored[i % std::size(kStored)]);
          const bool whole =
              scene.shape.format == ChannelFormat::u32 || scene.shape.format == ChannelFormat::s32;
          if ((wish.bytes != 0 && scene.shape.texel_bytes() != wish.bytes) ||
              scene.shape.channels > wish.most || (wish.integers && !whole))
            continue;
          scene.seed = 2000 + i;
          set.scenes.push_back(scene);
        }
        return set;
      });
}

const SceneSet& queried_scenes(bool surfaces) {
  return kept(surfaces ? "asked surfaces" : "asked textures", [&] {
    SceneSet set;
    set.surfaces = surfaces;
    for (unsigned i = 0; i < kScenes; ++i) {
      const std::string_view geometry = kGeometries[i % (surfaces ? 5 : std::size(kGeometries))];
      Scene scene = texture_scene(geometry, Reads::real, false, i);
      if (surfaces) {
        scene = {};
        scene.shape = surface_shape(geometry, i, kStored[i % std::size(kStored)]);
      }
      set.scenes.push_back(scene);
    }
    return set;
  });
}

}  // namespace wedjat::hardware_truth
