// Reads of texels of lines of device memory, by the interpreter and as native code.
#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <span>
#include <vector>

#include "emulator/compile/tier/tier.h"
#include "emulator/device/device.h"
#include "emulator/memory/textures.h"

using namespace wedjat;

namespace {

constexpr std::uint64_t out = 0x7f0000000000, texels = 0x7f1000000000;
constexpr std::uint64_t words = 0x71, other_words = 0x72, quads = 0x73, bytes = 0x74;
constexpr std::uint32_t threads = 128, width = 100, reads = 9;

// Each thread reads side by side, at one place, here and there, before the line, with a guard, of two lines,
// all of four channels, of one of them where texels have four, and bytes.
constexpr const char* text = R"(.version 8.7
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .u64 words, .param .u64 other, .param .u64 quads, .param .u64 bytes) {
  .reg .b64 %out, %w, %o, %q, %b, %h, %at; .reg .b32 %r<16>, %x<4>, %i, %odd, %turn; .reg .pred %p, %more;
  ld.param.u64 %out, [out]; ld.param.u64 %w, [words]; ld.param.u64 %o, [other];
  ld.param.u64 %q, [quads]; ld.param.u64 %b, [bytes];
  mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x; mad.lo.u32 %i, %r0, %r1, %r2;
  mul.wide.u32 %at, %i, 36; add.u64 %at, %out, %at;
  and.b32 %odd, %i, 1; setp.ne.u32 %p, %odd, 0;
  mov.u32 %turn, 0;
again:
  tex.1d.v4.u32.s32 {%r3, %x1, %x2, %x3}, [%w, {%i}];
  tex.1d.v4.u32.s32 {%r4, %x1, %x2, %x3}, [%w, {%turn}];
  mul.lo.u32 %r5, %i, 37; and.b32 %r5, %r5, 127;
  tex.1d.v4.u32.s32 {%r6, %x1, %x2, %x3}, [%w, {%r5}];
  sub.u32 %r5, %i, 16;
  tex.1d.v4.f32.s32 {%r7, %x1, %x2, %x3}, [%w, {%r5}];
  mov.u32 %r8, 77;
  @%p tex.1d.v4.u32.s32 {%r8, %x1, %x2, %x3}, [%w, {%i}];
  selp.b64 %h, %w, %o, %p;
  tex.1d.v4.u32.s32 {%r9, %x1, %x2, %x3}, [%h, {%i}];
  tex.1d.v4.u32.s32 {%r10, %x1, %x2, %x3}, [%q, {%i}];
  xor.b32 %r10, %r10, %x1; mad.lo.u32 %r10, %x2, 3, %r10; mad.lo.u32 %r10, %x3, 5, %r10;
  tex.1d.v4.u32.s32 {%r11, %x1, %x2, %x3}, [%q, {%i}];
  tex.1d.v4.u32.s32 {%r12, %x1, %x2, %x3}, [%b, {%i}];
  st.global.u32 [%at], %r3; st.global.u32 [%at+4], %r4; st.global.u32 [%at+8], %r6;
  st.global.u32 [%at+12], %r7; st.global.u32 [%at+16], %r8; st.global.u32 [%at+20], %r9;
  st.global.u32 [%at+24], %r10; st.global.u32 [%at+28], %r11; st.global.u32 [%at+32], %r12;
  add.u32 %turn, %turn, 1; setp.lt.u32 %more, %turn, 10;
  @%more bra again;
  ret;
})";

using Results = std::vector<std::uint32_t>;

std::uint32_t word(std::uint64_t place) { return static_cast<std::uint32_t>(place * 2654435761u); }

memory::Texture line(std::uint64_t first, memory::ChannelFormat format, unsigned channels) {
  memory::Texture made;
  made.texels.address = texels + first;
  made.texels.shape = {width, 0, 0, format, channels};
  made.sampler.read_as_integer = true;
  return made;
}

Results expected() {
  Results all;
  const auto at = [](std::int64_t place, std::uint64_t first) {
    return place < 0 || place >= width ? 0u : word(first + static_cast<std::uint64_t>(place));
  };
  for (std::uint32_t i = 0; i < threads; ++i) {
    std::array<std::uint32_t, 4> quad{};
    for (unsigned c = 0; c < 4 && i < width; ++c) quad[c] = word(width + 4 * i + c);
    const std::uint32_t odd = i & 1;
    all.insert(all.end(),
               {at(i, 0), at(9, 0), at(i * 37 & 127, 0), at(std::int64_t{i} - 16, 0), odd ? at(i, 0) : 77,
                at(i, odd ? 0 : width), (quad[0] ^ quad[1]) + 3 * quad[2] + 5 * quad[3], quad[0],
                i < width ? word(i / 4) >> (8 * (i % 4)) & 0xff : 0});
  }
  return all;
}

struct Ran {
  Results results;
  std::uint64_t steps = 0, native_steps = 0;
};

Ran run(const std::shared_ptr<compile::Tier>& native, unsigned host_threads) {
  device::Device device({.threads = host_threads, .native = native});
  device.allocate_at(out, threads * reads * 4, "out");
  device.allocate_at(texels, 5 * width * 4, "texels");
  std::vector<std::uint32_t> filled(5 * width);
  for (std::size_t i = 0; i < filled.size(); ++i) filled[i] = word(i);
  device.write(texels, std::as_bytes(std::span(filled)));
  using enum memory::ChannelFormat;
  auto& textures = device.textures().textures;
  textures[words] = line(0, u32, 1);
  textures[other_words] = line(width * 4, u32, 1);
  textures[quads] = line(width * 4, u32, 4);
  textures[bytes] = line(0, u8, 1);
  device::Module* const module = device.load_module({{"lines", text}}, {});
  const std::uint64_t parameters[] = {out, words, other_words, quads, bytes};
  device::LaunchConfig config;
  config.grid[0] = 2;
  config.block[0] = 64;
  const auto report =
      device.launch(device.function(module, "k"), config, std::as_bytes(std::span(parameters)));
  Ran ran{Results(threads * reads), report.steps, report.native_steps};
  device.read(out, std::as_writable_bytes(std::span(ran.results)));
  return ran;
}

}  // namespace

TEST_CASE("texels of lines are what lies there, and nothing beyond the ends") {
  for (const unsigned host_threads : {1u, 2u}) {
    const Ran interpreted = run(nullptr, host_threads);
    CHECK(interpreted.results == expected());
    const auto tier = std::make_shared<compile::Tier>(compile::TierOptions{.when = compile::When::always});
    if (!tier->missing().empty()) {
      CHECK(!WEDJAT_HAS_COMPILER);
      continue;
    }
    const Ran native = run(tier, host_threads);
    CHECK(native.results == expected());
    CHECK(native.steps == interpreted.steps);
    CHECK(10 * native.native_steps > 9 * native.steps);
  }
}
