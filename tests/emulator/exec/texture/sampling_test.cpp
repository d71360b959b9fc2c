#include "emulator/exec/texture/sampling.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <fstream>
#include <map>
#include <numeric>
#include <random>
#include <sstream>
#include <string>

#include "emulator/exec/texture/blend.h"
#include "emulator/exec/texture/gradient.h"
#include "emulator/exec/texture/level.h"
#include "emulator/exec/texture/place.h"
#include "emulator/exec/texture/texel.h"
#include "emulator/exec/texture/weights.h"

using namespace wedjat;
using memory::ChannelFormat;

namespace {

// Calls `check` with each line of a table but its remarks; the number of lines.
template <class Check>
unsigned for_each_line(const char* table, Check check) {
  std::ifstream file(std::string(TEST_DATA_DIR) + "/texture/" + table);
  unsigned lines = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    CAPTURE(line);
    std::istringstream words(line);
    check(words);
    ++lines;
  }
  return lines;
}

std::uint32_t hexadecimal(std::istream& words) {
  std::uint32_t value = 0;
  words >> std::hex >> value >> std::dec;
  return value;
}
float real(std::istream& words) { return std::bit_cast<float>(hexadecimal(words)); }

exec::Corner corner(const std::uint32_t& texel, unsigned weight) {
  return {reinterpret_cast<const std::byte*>(&texel), weight};
}

const std::map<std::string, memory::AddressMode> modes{{"wrap", memory::AddressMode::wrap},
                                                       {"clamp", memory::AddressMode::clamp},
                                                       {"mirror", memory::AddressMode::mirror}};

}  // namespace

TEST_CASE("coordinates fall between the texels an H200 found") {
  CHECK(for_each_line("h200_places.txt", [&](std::istream& words) {
          std::int64_t size = 0;
          std::string mode;
          bool normalized = false;
          words >> size >> mode >> normalized;
          const exec::Axis axis{size, modes.at(mode), normalized};
          const exec::Place place = exec::between(axis, exec::half_steps(axis, real(words)), 0);
          const auto weight = static_cast<std::int64_t>(place.weight);
          CHECK(static_cast<float>(place.low * (256 - weight) + place.high * weight) / 256 == real(words));
        }) > 600);
}

TEST_CASE("texels of wide textures are where an H200 found them") {
  CHECK(for_each_line("h200_wide.txt", [&](std::istream& words) {
          std::int64_t size = 0, texel = 0;
          std::string mode;
          words >> size >> mode;
          const exec::Axis axis{size, modes.at(mode), true};
          const float x = real(words);
          words >> texel;
          CHECK(exec::nearest(axis, exec::half_steps(axis, x), 0) == texel);
        }) == 20);
}

TEST_CASE("mip levels are those an H200 chose") {
  CHECK(for_each_line("h200_levels.txt", [](std::istream& words) {
          memory::Sampler sampler;
          sampler.mip_bias = real(words);
          sampler.min_level = real(words);
          sampler.max_level = real(words);
          bool linear = false;
          words >> linear;
          sampler.mip_filter = linear ? memory::Filter::linear : memory::Filter::point;
          const exec::Level level = exec::level_at(sampler, 7, exec::level_steps(real(words)));
          unsigned chosen = 0;
          words >> chosen;
          CHECK(level.finer * 256 + level.weight == chosen);
        }) > 300);
}

TEST_CASE("gradients choose the levels an H200 chose") {
  CHECK(for_each_line("h200_gradients.txt", [](std::istream& words) {
          exec::Extents size{};
          int coarsest = 0;
          words >> size[0] >> size[1] >> size[2] >> coarsest;
          exec::Gradient x{}, y{};
          for (float& part : x) part = real(words);
          for (float& part : y) part = real(words);
          int chosen = 0;
          words >> chosen;
          CHECK(std::clamp(exec::level_of_gradients(x, y, size), 0, 256 * coarsest) == chosen);
        }) > 600);
}

TEST_CASE("neighbouring directions choose the levels of cube maps an H200 chose, over edges too") {
  CHECK(for_each_line("h200_directions.txt", [](std::istream& words) {
          std::uint64_t edge = 0;
          int coarsest = 0;
          words >> edge >> coarsest;
          exec::Gradient at{}, x{}, y{};
          for (exec::Gradient* const direction : {&at, &x, &y})
            for (float& part : *direction) part = real(words);
          int chosen = 0;
          words >> chosen;
          CHECK(std::clamp(exec::level_of_directions(at, x, y, edge), 0, 256 * coarsest) == chosen);
        }) == 322);
}

TEST_CASE("with anisotropy less lies between levels, as an H200 has it") {
  CHECK(for_each_line("h200_trilinear.txt", [](std::istream& words) {
          memory::Sampler sampler;
          sampler.mip_filter = memory::Filter::linear;
          sampler.max_level = 5;
          int part = 0, given = 0;
          words >> sampler.max_anisotropy >> part >> given;
          const exec::Level level = exec::level_at(sampler, 6, 256 + part);
          CHECK(static_cast<int>(256 * level.finer + level.weight) == 256 + given);
          sampler.mip_filter = memory::Filter::point;
          CHECK(exec::level_at(sampler, 6, 256 + part).finer == (part < 128 ? 1 : 2));
        }) > 400);
}

TEST_CASE("texels are weighed and summed as an H200 does") {
  const std::map<std::string, ChannelFormat> formats{{"u8", ChannelFormat::u8},   {"s8", ChannelFormat::s8},
                                                     {"u16", ChannelFormat::u16}, {"s16", ChannelFormat::s16},
                                                     {"f16", ChannelFormat::f16}, {"f32", ChannelFormat::f32},
                                                     {"srgb", ChannelFormat::u8}};
  CHECK(for_each_line("h200_sums.txt", [&](std::istream& words) {
          std::string format;
          unsigned x = 0, y = 0, z = 0;
          words >> format >> x >> y >> z;
          std::uint32_t texel[8];
          for (std::uint32_t& each : texel) each = hexadecimal(words);
          const exec::Shares depth = exec::share_low(256, z);
          exec::Plane planes[2];
          for (unsigned p = 0; p < 2; ++p) {
            const auto weight = exec::corners(p ? depth.high : depth.low, x, y);
            for (unsigned i = 0; i < 4; ++i)
              if (!((i & 1 && x == 0) || (i & 2 && y == 0)))
                planes[p][i] = corner(texel[4 * p + i], weight[i]);
          }
          const memory::ArrayShape shape{1, 1, 1, formats.at(format), 1};
          const exec::Reading reading = format == "srgb" ? exec::Reading::light : exec::Reading::floats;
          CHECK(exec::blend({planes, z == 0 ? 1u : 2u}, shape, reading)[0] == hexadecimal(words));
        }) > 400);
}

TEST_CASE("planes of two levels of a volume meet as in an H200") {
  const std::map<std::string, ChannelFormat> formats{
      {"f16", ChannelFormat::f16}, {"f32", ChannelFormat::f32}, {"srgb", ChannelFormat::u8}};
  CHECK(for_each_line("h200_volumes.txt", [&](std::istream& words) {
          std::string format;
          words >> format;
          std::uint32_t texel[4];
          exec::Plane planes[4];
          for (unsigned p = 0; p < 4; ++p) {
            texel[p] = hexadecimal(words);
            unsigned weight = 0;
            words >> weight;
            planes[p][0] = corner(texel[p], weight);
          }
          const memory::ArrayShape shape{1, 1, 1, formats.at(format), 1};
          const exec::Reading reading = format == "srgb" ? exec::Reading::light : exec::Reading::floats;
          CHECK(exec::blend(planes, shape, reading)[0] == hexadecimal(words));
        }) > 200);
}

TEST_CASE("codes in sRGB become the light an H200 made of them; alpha stays linear") {
  memory::Sampler sampler;
  sampler.srgb = true;
  const memory::ArrayShape shape{1, 1, 1, ChannelFormat::u8, 4};
  REQUIRE(exec::reading_of(shape, sampler) == exec::Reading::light);
  CHECK(for_each_line("h200_srgb.txt", [&](std::istream& words) {
          unsigned code = 0;
          words >> code;
          const std::array<std::uint8_t, 4> bytes{static_cast<std::uint8_t>(code), 0, 255,
                                                  static_cast<std::uint8_t>(code)};
          const auto* texel = reinterpret_cast<const std::byte*>(bytes.data());
          const exec::Channels read = exec::texel_channels(texel, shape, exec::Reading::light);
          CHECK(read[0] == hexadecimal(words));
          CHECK(read[1] == 0);
          CHECK(std::bit_cast<float>(read[2]) == 1);
          CHECK(read[3] == hexadecimal(words));
        }) == 256);
  sampler.read_as_integer = true;
  CHECK(exec::reading_of(shape, sampler) == exec::Reading::integers);
}

TEST_CASE("filtered integers are cut as an H200 cuts them") {
  std::array<std::uint32_t, 256> texels{};
  std::iota(texels.begin(), texels.end(), 0u);
  const exec::Axis axis{16, memory::AddressMode::clamp, false};
  CHECK(for_each_line("h200_whole.txt", [&](std::istream& words) {
          const float at[] = {real(words), real(words)};
          const exec::Place x = exec::between(axis, exec::half_steps(axis, at[0]), 0),
                            y = exec::between(axis, exec::half_steps(axis, at[1]), 0);
          const auto weight = exec::corners(256, x.weight, y.weight);
          std::array<exec::Plane, 1> planes;
          for (unsigned i = 0; i < 4; ++i)
            planes[0][i] = corner(
                texels[static_cast<unsigned>(16 * (i & 2 ? y.high : y.low) + (i & 1 ? x.high : x.low))],
                weight[i]);
          unsigned value = 0;
          words >> value;
          CHECK(exec::blend(planes, {16, 16, 0, ChannelFormat::u32, 1}, exec::Reading::integers)[0] == value);
        }) == 40);
}

TEST_CASE("border colours in sRGB become the codes they become on an H200") {
  memory::Sampler sampler;
  sampler.srgb = true;
  const memory::ArrayShape shape{1, 1, 1, ChannelFormat::u8, 4};
  const auto code_of = [&](float value, unsigned channel) {
    std::fill(std::begin(sampler.border), std::end(sampler.border), value);
    return std::to_integer<unsigned>(exec::border_texel(shape, sampler)[channel]);
  };
  CHECK(for_each_line("h200_srgb_borders.txt", [&](std::istream& words) {
          unsigned code = 0;
          words >> code;
          for (const unsigned channel : {0u, 3u}) {
            const float least = real(words);
            CHECK(code_of(least, channel) == code);
            CHECK(code_of(std::nextafter(least, 0.f), channel) == code - 1);
          }
        }) == 255);
  for (const unsigned channel : {0u, 1u, 2u, 3u}) {
    CHECK(code_of(-1, channel) == 0);
    CHECK(code_of(2, channel) == 255);
  }
}

TEST_CASE("integers of a normalised format are never whole") {
  memory::Sampler sampler;
  sampler.read_as_integer = true;
  memory::ArrayShape shape{1, 1, 1, ChannelFormat::s16, 1};
  CHECK(exec::reading_of(shape, sampler) == exec::Reading::integers);
  shape.normalized = true;
  CHECK(exec::reading_of(shape, sampler) == exec::Reading::floats);
  const std::array<std::byte, 2> least{std::byte{0}, std::byte{0x80}};
  CHECK(std::bit_cast<float>(exec::texel_channels(least.data(), shape, exec::Reading::floats)[0]) == -1);
}

TEST_CASE("of fewer than four channels only red is in sRGB") {
  const std::array<std::byte, 2> bytes{std::byte{100}, std::byte{100}};
  const exec::Channels read =
      exec::texel_channels(bytes.data(), {1, 1, 1, ChannelFormat::u8, 2}, exec::Reading::light);
  CHECK(std::bit_cast<float>(read[0]) == 0.126953125f);
  CHECK(std::bit_cast<float>(read[1]) == 100 / 255.f);
  CHECK(read[3] == 0);
}

TEST_CASE("all lanes at once read what each reads alone") {
  std::mt19937_64 random(5);
  memory::DeviceMemory device;
  unsigned read = 0, left = 0;
  for (unsigned n = 0; n < 600; ++n) {
    constexpr ChannelFormat formats[] = {ChannelFormat::u8,  ChannelFormat::s8,  ChannelFormat::u16,
                                         ChannelFormat::s16, ChannelFormat::f16, ChannelFormat::f32};
    memory::Texture texture;
    memory::ArrayShape& shape = texture.texels.shape;
    shape = {1 + random() % 37, 1 + random() % 20, 0, formats[n % 6], 1u << random() % 3};
    const bool line = n % 5 == 0;
    if (line) shape.height = 0;
    texture.texels.levels = {std::make_shared<memory::Array>(device, shape)};
    for (std::uint64_t at = 0; at < shape.bytes(); ++at)
      texture.texels.levels[0]->data()[at] = static_cast<std::byte>(random() >> 20);
    memory::Sampler& sampler = texture.sampler;
    sampler.normalized_coordinates = n % 3 == 0;
    sampler.filter = n % 4 == 0 ? memory::Filter::point : memory::Filter::linear;
    sampler.srgb = shape.format == ChannelFormat::u8 && n % 12 == 0;
    for (memory::AddressMode& mode : sampler.address) mode = static_cast<memory::AddressMode>(random() % 4);
    std::ranges::fill(sampler.border, 0.25f);
    std::array<exec::LaneRow<float>, 2> at{};
    std::array<exec::LaneRow<std::int32_t>, 2> offset{};
    for (unsigned d = 0; d < 2; ++d)
      for (unsigned lane = 0; lane < 32; ++lane) {
        const double texels = static_cast<double>(d == 0 ? shape.width : shape.rows());
        const double place = (static_cast<double>(random() % 8192) / 4096 - 0.5) * texels;
        at[d][lane] = static_cast<float>(sampler.normalized_coordinates ? place / texels : place);
        if (random() % 16 == 0) at[d][lane] = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
        offset[d][lane] = static_cast<std::int32_t>(random() % 4) - 2;
      }
    exec::Sampling sampling(texture, sampler, line ? exec::Geometry::g1d : exec::Geometry::g2d, nullptr);
    REQUIRE(sampling.reads_plane());
    std::array<exec::Channels, 32> all;
    const std::uint32_t apart = sampling.sample_plane(at, offset, all.data());
    for (unsigned lane = 0; lane < 32; ++lane) {
      ++(apart >> lane & 1 ? left : read);
      if (apart >> lane & 1) continue;
      CAPTURE(n);
      CAPTURE(lane);
      CHECK(all[lane] == sampling.sample({at[0][lane], at[1][lane], 0}, {offset[0][lane], offset[1][lane], 0},
                                         0, std::nullopt));
    }
  }
  CHECK(read > 10000);  // most of them
  CHECK(left > 100);    // borders, NaNs, infinities
}

TEST_CASE("cube maps: faces, edges and corners are those an H200 met") {
  constexpr std::uint64_t edge = 16;
  memory::DeviceMemory device;
  memory::Texture texture;
  texture.texels.shape = {edge, edge, 6, ChannelFormat::f32, 4};
  texture.texels.shape.cubemap = true;
  texture.texels.levels = {std::make_shared<memory::Array>(device, texture.texels.shape)};
  texture.sampler.normalized_coordinates = true;
  for (std::uint64_t face = 0; face < 6; ++face)
    for (std::uint64_t y = 0; y < edge; ++y)
      for (std::uint64_t x = 0; x < edge; ++x) {
        const std::array<float, 4> channels{static_cast<float>(x), static_cast<float>(y),
                                            static_cast<float>(face), 0};
        std::memcpy(texture.texels.levels[0]->texel(x, y, face), channels.data(), sizeof channels);
      }
  CHECK(for_each_line("h200_cubes.txt", [&](std::istream& words) {
          bool linear = false;
          words >> texture.sampler.seamless_cubemap >> linear;
          texture.sampler.filter = linear ? memory::Filter::linear : memory::Filter::point;
          exec::Sampling sampling(texture, texture.sampler, exec::Geometry::gcube, nullptr);
          exec::Vector<float> direction{};
          for (float& part : direction) part = real(words);
          const exec::Channels got = sampling.sample(direction, {}, 0, std::nullopt);
          for (unsigned c = 0; c < 3; ++c) CHECK(got[c] == hexadecimal(words));
        }) > 350);
}
