// Reads of texels of planes and of bytes of lines, by the interpreter and as native code.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "emulator/compile/tier/tier.h"
#include "emulator/device/device.h"
#include "emulator/memory/textures.h"

using namespace wedjat;

namespace {

constexpr std::uint64_t out = 0x7f0000000000, places = 0x7f1000000000, texels = 0x7f2000000000;
constexpr std::uint64_t words = 0x71, other_words = 0x72, quads = 0x73, bytes = 0x74, signed_bytes = 0x75;
constexpr std::uint32_t threads = 96, width = 20, height = 7, line_bytes = 100, results = 8;

// Each thread reads at a place of its own: all of four channels, some, with a guard, of two textures, with
// an offset, and bytes of lines.
constexpr const char* text = R"(.version 8.7
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .u64 places, .param .u64 words, .param .u64 other, .param .u64 quads,
                  .param .u64 bytes, .param .u64 signs) {
  .reg .b64 %out, %places, %w, %o, %q, %b, %s, %h, %at, %from; .reg .b32 %r<16>, %x<4>, %i, %odd, %c, %d;
  .reg .f32 %u, %v; .reg .pred %p, %here;
  ld.param.u64 %out, [out]; ld.param.u64 %places, [places]; ld.param.u64 %w, [words]; ld.param.u64 %o, [other];
  ld.param.u64 %q, [quads]; ld.param.u64 %b, [bytes]; ld.param.u64 %s, [signs];
  mov.u32 %i, %tid.x;
  mul.wide.u32 %at, %i, 32; add.u64 %at, %out, %at;
  mul.wide.u32 %from, %i, 8; add.u64 %from, %places, %from;
  ld.global.v2.f32 {%u, %v}, [%from];
  and.b32 %odd, %i, 1; setp.ne.u32 %p, %odd, 0;
  tex.2d.v4.u32.f32 {%r3, %x1, %x2, %x3}, [%w, {%u, %v}];
  tex.2d.v4.u32.f32 {%r4, %x1, %x2, %x3}, [%q, {%v, %u}];
  xor.b32 %r4, %r4, %x1; mad.lo.u32 %r4, %x2, 3, %r4; mad.lo.u32 %r4, %x3, 5, %r4;
  tex.2d.v4.f32.f32 {%x1, %x2, %r5, %x3}|%here, [%q, {%u, %v}];
  selp.b32 %r5, %r5, 0, %here;
  mov.u32 %r6, 77;
  @%p tex.2d.v4.u32.f32 {%r6, %x1, %x2, %x3}, [%w, {%u, %v}];
  selp.b64 %h, %w, %o, %p;
  tex.2d.v4.u32.f32 {%r7, %x1, %x2, %x3}, [%h, {%u, %v}];
  mov.u32 %c, 1; mov.u32 %d, -2;
  tex.2d.v4.u32.f32 {%r8, %x1, %x2, %x3}, [%w, {%u, %v}], {%c, %d};
  sub.u32 %r9, %i, 8; mul.lo.u32 %r10, %i, 3;
  tex.1d.v4.u32.s32 {%r11, %x1, %x2, %x3}, [%b, {%r9}];
  @!%p bra even;
  tex.1d.v4.u32.s32 {%r12, %x1, %x2, %x3}, [%s, {%r10}];
  bra.uni done;
even:
  tex.2d.v4.u32.f32 {%r12, %x1, %x2, %x3}, [%w, {%u, %u}];
done:
  st.global.v4.u32 [%at], {%r3, %r4, %r5, %r6}; st.global.v4.u32 [%at+16], {%r7, %r8, %r11, %r12};
  ret;
})";

std::uint32_t word(std::uint64_t place) { return static_cast<std::uint32_t>(place * 2654435761u) >> 2; }

// As large and as small as they come, between texels and on them, and what is no number.
std::vector<float> all_places() {
  constexpr float special[] = {
      0,      -0.0f,    1e-40f, -1e-40f, 0.99999994f, 1,         6.9999995f,
      7,      -1,       19.5f,  20,      -3.5f,       1e30f,     -1e30f,
      1e-37f, 16777216, 6.5f,   2.25f,   INFINITY,    -INFINITY, std::numeric_limits<float>::quiet_NaN()};
  std::vector<float> all;
  for (std::uint32_t i = 0; i < threads; ++i) {
    all.push_back(special[i % std::size(special)]);
    all.push_back(i % 3 == 0 ? special[i / 3 % std::size(special)] : static_cast<float>(i % 11) * 0.75f - 1);
  }
  return all;
}

std::uint32_t texel_of(float place, std::uint32_t size, int offset = 0) {
  const bool counts = std::abs(place) >= std::numeric_limits<float>::min();
  const auto texel = counts ? static_cast<int>(std::floor(std::clamp(place, -0x1p24f, 0x1p24f))) : 0;
  return static_cast<std::uint32_t>(std::clamp(texel + offset, 0, static_cast<int>(size) - 1));
}

struct PlanesRan {
  std::vector<std::uint32_t> results;
  std::uint64_t steps = 0, native_steps = 0;
};

enum class Sampled : std::uint8_t { nearest, at_border, weighed, normalized };

PlanesRan run_planes(const std::shared_ptr<compile::Tier>& native, unsigned host_threads, Sampled how) {
  device::Device device({.threads = host_threads, .native = native});
  device.allocate_at(out, threads * results * 4, "out");
  device.allocate_at(places, threads * 8, "places");
  device.allocate_at(texels, 2 * line_bytes, "texels");
  const std::vector<float> at = all_places();
  device.write(places, std::as_bytes(std::span(at)));
  std::vector<std::uint8_t> letters;
  for (std::uint32_t i = 0; i < 2 * line_bytes; ++i) letters.push_back(static_cast<std::uint8_t>(word(i)));
  device.write(texels, std::as_bytes(std::span(letters)));
  using enum memory::ChannelFormat;
  auto& textures = device.textures().textures;
  const auto add_plane = [&](std::uint64_t handle, unsigned channels, std::uint32_t first) {
    memory::Texture made;
    made.texels.shape = {width, height, 0, u32, channels};
    auto array = device.make_array(made.texels.shape);
    for (std::uint32_t i = 0; i < width * height * channels; ++i) {
      const std::uint32_t value = word(first + i);
      std::memcpy(array->data() + 4 * i, &value, sizeof value);
    }
    made.texels.levels = {array};
    if (how == Sampled::at_border) made.sampler.address[1] = memory::AddressMode::border;
    if (how == Sampled::weighed) made.sampler.filter = memory::Filter::linear;
    if (how == Sampled::normalized) made.sampler.normalized_coordinates = true;
    textures[handle] = made;
  };
  add_plane(words, 1, 0);
  add_plane(other_words, 1, 1000);
  add_plane(quads, 4, 2000);
  const auto add_line = [&](std::uint64_t handle, memory::ChannelFormat format, std::uint64_t first) {
    memory::Texture made;
    made.texels.address = texels + first;
    made.texels.shape = {line_bytes, 0, 0, format, 1};
    made.sampler.read_as_integer = true;
    textures[handle] = made;
  };
  add_line(bytes, u8, 0);
  add_line(signed_bytes, s8, line_bytes);
  device::Module* const module = device.load_module({{"planes", text}}, {});
  const std::uint64_t parameters[] = {out, places, words, other_words, quads, bytes, signed_bytes};
  device::LaunchConfig config;
  config.block[0] = threads;
  const auto report =
      device.launch(device.function(module, "k"), config, std::as_bytes(std::span(parameters)));
  PlanesRan ran{std::vector<std::uint32_t>(threads * results), report.steps, report.native_steps};
  device.read(out, std::as_writable_bytes(std::span(ran.results)));
  return ran;
}

std::vector<std::uint32_t> expected_nearest() {
  const std::vector<float> at = all_places();
  std::vector<std::uint32_t> all;
  const auto plane = [](std::uint32_t x, std::uint32_t y) { return y * width + x; };
  const auto quad = [&](std::uint32_t x, std::uint32_t y, unsigned c) {
    return word(2000 + 4 * plane(x, y) + c);
  };
  for (std::uint32_t i = 0; i < threads; ++i) {
    const float u = at[2 * i], v = at[2 * i + 1];
    const std::uint32_t x = texel_of(u, width), y = texel_of(v, height), odd = i & 1;
    const std::uint32_t across = texel_of(v, width), down = texel_of(u, height);
    const std::uint32_t right = texel_of(u, width, 1), up = texel_of(v, height, -2);
    const std::uint32_t before = i - 8, third = 3 * i;
    const auto letter = [](std::uint32_t place) { return static_cast<std::uint8_t>(word(place)); };
    const std::int32_t sign = third < line_bytes ? static_cast<std::int8_t>(letter(line_bytes + third)) : 0;
    all.insert(all.end(), {word(plane(x, y)),
                           (quad(across, down, 0) ^ quad(across, down, 1)) + 3 * quad(across, down, 2) +
                               5 * quad(across, down, 3),
                           quad(x, y, 2), odd ? word(plane(x, y)) : 77, word((odd ? 0 : 1000) + plane(x, y)),
                           word(plane(right, up)), before < line_bytes ? letter(before) : 0u,
                           odd ? static_cast<std::uint32_t>(sign) : word(plane(x, down))});
  }
  return all;
}

}  // namespace

TEST_CASE("texels of planes are those that are nearest, and of bytes none lie beyond the ends") {
  const std::vector<std::uint32_t> expected = expected_nearest();
  for (const unsigned host_threads : {1u, 2u})
    for (const Sampled how : {Sampled::nearest, Sampled::at_border, Sampled::weighed, Sampled::normalized})
      for (const char* features : {"", "-avx512f"}) {
        CAPTURE(static_cast<int>(how));
        const PlanesRan interpreted = run_planes(nullptr, host_threads, how);
        for (std::size_t i = 0; how == Sampled::nearest && i < expected.size(); ++i) {
          CAPTURE(i);
          CHECK(interpreted.results[i] == expected[i]);
        }
        const auto tier = std::make_shared<compile::Tier>(
            compile::TierOptions{.when = compile::When::always, .features = features});
        if (!tier->missing().empty()) {
          CHECK(!WEDJAT_HAS_COMPILER);
          continue;
        }
        const PlanesRan native = run_planes(tier, host_threads, how);
        CHECK(native.results == interpreted.results);
        CHECK(native.steps == interpreted.steps);
        CHECK(2 * native.native_steps > native.steps);
      }
}
