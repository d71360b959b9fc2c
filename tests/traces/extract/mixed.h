// One launch that needs all that a bundle can hold, caught on a device of the test.
#pragma once

#include <doctest/doctest.h>

#include <cstring>
#include <optional>

#include "traces/extract/capture.h"

namespace test {

using wedjat::traces::Bundle;

inline constexpr std::uint64_t table = 0x7e5500000000, numbers = 0x7e5500400200, texture = 1, surface = 2;

inline constexpr const char* mixed_ptx = R"(.version 8.0
.target sm_90
.address_size 64
.global .u32 scale = 3;
.const .u32 offset = 5;
.visible .entry other() { ret; }
.visible .entry mixed(.param .u64 tex, .param .u64 surf, .param .u64 table)
{
  .reg .b64 %d<8>; .reg .b32 %r<8>; .reg .f32 %f<8>;
  ld.param.u64 %d0, [tex]; ld.param.u64 %d1, [surf]; ld.param.u64 %d2, [table];
  mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mad.lo.u32 %r2, %r1, 8, %r0;
  cvt.rn.f32.u32 %f0, %r0; cvt.rn.f32.u32 %f1, %r1;
  tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%d0, {%f0, %f1}];
  ld.global.u64 %d3, [%d2]; ld.global.u64 %d4, [%d2+8];
  mul.wide.u32 %d5, %r2, 8; add.u64 %d6, %d3, %d5; ld.global.f32 %f6, [%d6]; add.rn.f32 %f6, %f6, %f2;
  ld.global.u32 %r3, [scale]; ld.const.u32 %r4, [offset]; add.u32 %r3, %r3, %r4;
  mov.u32 %r5, %cluster_ctarank; add.u32 %r3, %r3, %r5; cvt.rn.f32.u32 %f7, %r3; mul.rn.f32 %f6, %f6, %f7;
  add.u64 %d7, %d4, %d5; st.global.f32 [%d7], %f6;
  shl.b32 %r6, %r0, 2; sust.b.2d.b32.trap [%d1, {%r6, %r1}], %r3;
  ret;
}
)";

template <class T>
std::span<const std::byte> bytes_of(const T& values) {
  return std::as_bytes(std::span(values));
}

// 16 threads in a cluster of two CTAs: thread i reads element 2 i of `numbers`, writes element 2 i behind 64.
inline Bundle mixed_launch() {
  namespace device = wedjat::device;
  namespace memory = wedjat::memory;
  std::optional<Bundle> caught;
  wedjat::traces::Capture capture([](std::uint64_t, const std::string&) { return true; }, false,
                                  [&](Bundle&& bundle) { caught.emplace(std::move(bundle)); });
  wedjat::hooks::Hooks hooks;
  capture.attach(hooks);
  device::Device gpu({.threads = 1, .hooks = &hooks});
  gpu.allocate_at(table, 4096, "table");
  gpu.allocate_at(numbers, 4096, "numbers");
  gpu.allocate_at(0x7e5500800000, 1 << 20, "unused");
  const std::uint64_t pointers[] = {numbers, numbers + 256};
  gpu.write(table, bytes_of(pointers));
  float values[128];
  for (int i = 0; i < 128; ++i) values[i] = 0.25f * static_cast<float>(i);
  gpu.write(numbers, bytes_of(values));
  const auto image = gpu.make_array({8, 2, 0, memory::ChannelFormat::f32, 1});
  for (int i = 0; i < 16; ++i) {
    const float texel = static_cast<float>(100 + i);
    std::memcpy(image->data() + 4 * i, &texel, 4);
  }
  const auto drawing = gpu.make_array({8, 2, 0, memory::ChannelFormat::u32, 1});
  gpu.textures().textures[texture].texels = {{image}, 0, 0, image->shape()};
  gpu.textures().surfaces[surface] = {drawing};
  const std::vector<device::PtxSource> sources = {{"mixed.ptx", mixed_ptx}};
  device::Module* const module = gpu.load_module(sources, {});
  const std::uint32_t seven = 7;
  gpu.write(gpu.variable(module, "offset")->address, bytes_of(std::span(&seven, 1)));
  const device::LaunchConfig config{{2, 1, 1}, {8, 1, 1}, {2, 1, 1}};
  const std::uint64_t parameters[] = {texture, surface, table};
  const std::string kernel = "mixed";
  capture.announce({0, kernel, gpu, module, sources, config, bytes_of(parameters)});
  gpu.launch(gpu.function(module, kernel), config, bytes_of(parameters));
  REQUIRE(caught.has_value());
  return std::move(*caught);
}

}  // namespace test
