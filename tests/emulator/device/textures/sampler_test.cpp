// Samplers apart from textures (.target texmode_independent).
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>

#include "emulator/device/device.h"
#include "emulator/memory/textures.h"

using namespace wedjat;

namespace {

constexpr std::uint64_t buffer = 0x7f0000000000, variable = 0x7f3000000000, handle = 0x77, sampler = 0x88;

// A row of four texels 0, 16, 32, 48, which by itself is read at normalised coordinates, the nearest, 0
// outside.
struct Line {
  Line() {
    memory::ArrayShape shape{4, 1, 0, memory::ChannelFormat::f32, 1};
    memory::Texture texture;
    texture.texels.shape = shape;
    texture.texels.levels = {device.make_array(shape)};
    const float texels[] = {0, 16, 32, 48};
    std::memcpy(texture.texels.levels[0]->data(), texels, sizeof texels);
    texture.sampler.normalized_coordinates = true;
    for (memory::AddressMode& mode : texture.sampler.address) mode = memory::AddressMode::border;
    device.textures().textures[variable] = device.textures().textures[handle] = texture;
    device.allocate_at(buffer, 4, "out");
  }

  float read(const std::string& globals, const std::string& operand, float x) {
    const std::string text = fmt::format(R"(.version 8.7
.target sm_90, texmode_independent
.address_size 64
.global .texref t;
{}
.visible .entry k(.param .u64 out, .param .texref pt, .param .samplerref ps) {{
  .reg .b64 %out, %t, %s; .reg .f32 %x, %f<4>;
  ld.param.u64 %out, [out]; mov.f32 %x, 0f{:08x}; mov.b64 %t, t; mov.b64 %s, {};
  tex.1d.v4.f32.f32 {{%f0, %f1, %f2, %f3}}, [{}, {{%x}}];
  st.global.f32 [%out], %f0;
  ret;
}})",
                                         globals, std::bit_cast<std::uint32_t>(x), sampler, operand);
    device::Module* const module = device.load_module({{"samplers", text}}, {{"t", variable}});
    const std::uint64_t parameters[] = {buffer, handle, sampler};
    device.launch(device.function(module, "k"), {}, std::as_bytes(std::span(parameters)));
    device.unload_module(module);
    float result = 0;
    device.read(buffer, std::as_writable_bytes(std::span(&result, 1)));
    return result;
  }

  device::Device device{{}};
};

}  // namespace

TEST_CASE("a declared sampler says how a texture is read") {
  Line line;
  const auto with = [](const char* properties) {
    return fmt::format(".global .samplerref s{}{}{};", *properties ? " = {" : "", properties,
                       *properties ? "}" : "");
  };
  CHECK(line.read(with(""), "t, s", 0.5f) == 32);
  CHECK(line.read(with("filter_mode = linear"), "t, s", 0.5f) == 24);
  CHECK(line.read(with("addr_mode_0 = wrap"), "t, s", 1.25f) == 16);
  CHECK(line.read(with("addr_mode_0 = mirror, filter_mode = nearest"), "t, s", 1.125f) == 48);
  CHECK(line.read(with("addr_mode_0 = clamp_to_edge"), "t, s", 1.25f) == 48);
  CHECK(line.read(with("addr_mode_0 = clamp_to_border"), "t, s", 1.25f) == 0);
  CHECK(line.read(with("addr_mode_0 = clamp_to_edge, addr_mode_1 = wrap"), "t, s", -3) == 0);
  CHECK(line.read(with("force_unnormalized_coords = 1"), "t, s", 2.5f) == 32);
  CHECK(line.read(with("addr_mode_0 = wrap"), "pt, s", 1.25f) == 16);
}

TEST_CASE("samplers go with their module") {
  Line line;
  line.read(".global .samplerref s;", "t, s", 0);
  CHECK(line.device.textures().samplers.empty());
}

TEST_CASE("parameters and registers name samplers too; what is none leaves the texture its own") {
  Line line;
  memory::Sampler wrapping;
  wrapping.normalized_coordinates = true;
  wrapping.address[0] = memory::AddressMode::wrap;
  CHECK(line.read("", "pt, ps", 1.25f) == 0);
  line.device.textures().samplers[sampler] = wrapping;
  CHECK(line.read("", "pt, ps", 1.25f) == 16);
  CHECK(line.read("", "%t, %s", 1.25f) == 16);
  CHECK(line.read("", "t, ps", 1.25f) == 16);
}

namespace {

using Four = std::array<float, 4>;

// What an H200 (driver 580.159.04) gave through OpenCL, which takes PTX as a program's binary: images of four
// singles, element i of which is 1.25 i, and a sampler of one address mode.
Four as_opencl(const memory::ArrayShape& shape, const memory::Sampler& apart, const std::string& instruction,
               const std::string& x = "0f3ec00000") {
  const std::string text = fmt::format(R"(.version 9.0
.target sm_90, texmode_independent
.address_size 64
.visible .entry k(.param .u64 .ptr .global .align 16 out, .param .texref texr, .param .samplerref smpr) {{
  .reg .b64 %out; .reg .f32 %f<10>; .reg .b32 %r<11>;
  ld.param.u64 %out, [out];
  mov.f32 %f0, {}; mov.f32 %f1, 0.625; mov.f32 %f8, 0.5; mov.f32 %f9, 0.125;
  mov.u32 %r8, 1; mov.u32 %r9, 2; mov.u32 %r10, 0;
  {}
  st.global.v4.f32 [%out], {{%f2, %f3, %f4, %f5}};
  ret;
}})",
                                       x, instruction);
  device::Device device{{}};
  memory::Texture texture;
  texture.texels.shape = shape;
  texture.texels.levels = {device.make_array(shape)};
  for (std::size_t i = 0; i < shape.bytes() / sizeof(float); ++i) {
    const float element = 1.25f * static_cast<float>(i);
    std::memcpy(texture.texels.levels[0]->data() + i * sizeof element, &element, sizeof element);
  }
  texture.sampler.normalized_coordinates = true;
  device.textures().textures[handle] = texture;
  device.textures().samplers[sampler] = apart;
  device.allocate_at(buffer, sizeof(Four), "out");
  const std::uint64_t parameters[] = {buffer, handle, sampler};
  device.launch(device.function(device.load_module({{"opencl", text}}, {}), "k"), {},
                std::as_bytes(std::span(parameters)));
  Four result{};
  device.read(buffer, std::as_writable_bytes(std::span(result)));
  return result;
}

memory::ArrayShape image(std::uint64_t height, std::uint64_t depth, bool layered = false) {
  memory::ArrayShape shape{4, height, depth, memory::ChannelFormat::f32, 4};
  shape.layered = layered;
  return shape;
}

memory::Sampler all_axes(memory::AddressMode mode, memory::Filter filter, bool normalized) {
  memory::Sampler made;
  for (memory::AddressMode& axis : made.address) axis = mode;
  made.filter = filter;
  made.normalized_coordinates = normalized;
  return made;
}

Four four(float first) { return {first, first + 1.25f, first + 2.5f, first + 3.75f}; }

}  // namespace

TEST_CASE("images as OpenCL reads them on an H200") {
  using memory::AddressMode;
  using memory::Filter;
  const memory::Sampler linear = all_axes(AddressMode::wrap, Filter::linear, true);
  const memory::ArrayShape plane = image(4, 0), row = image(1, 0), rows = image(0, 3, true),
                           planes = image(4, 3, true), volume = image(4, 4);
  const std::string to = " {%f2,%f3,%f4,%f5}, [texr, smpr, ";
  const auto get = [&](const memory::ArrayShape& shape, const std::string& mnemonic,
                       const std::string& rest) {
    return as_opencl(shape, linear, mnemonic + to + rest + ";");
  };
  CHECK(get(plane, "tex.2d.v4.f32.f32", "{%f0,%f1}]") == four(45));
  CHECK(get(plane, "tex.base.2d.v4.f32.f32", "{%f0,%f1}]") == four(45));
  CHECK(get(plane, "tex.2d.v4.f32.f32", "{%f0,%f1}], {%r8,%r9}") == four(10));
  CHECK(get(plane, "tex.2d.v4.f32.f32", "{%f0,%f1}], {%r8,%r9}, %f8") == four(10));
  CHECK(get(plane, "tex.level.2d.v4.f32.f32", "{%f0,%f1}], %f8") == four(45));
  CHECK(get(plane, "tex.2d.v4.f32.s32", "{%r8,%r9}]") == four(37.5));
  CHECK(get(plane, "tex.level.2d.v4.f32.s32", "{%r8,%r9}], %r10") == four(45));
  CHECK(get(plane, "tex.grad.2d.v4.f32.f32", "{%f0,%f1}], {%f8,%f9}, {%f9,%f8}") == four(45));
  CHECK(get(plane, "tex.grad.2d.v4.f32.f32", "{%f0,%f1}], {%f8,%f9}, {%f9,%f8}, %f8") == four(45));
  CHECK(get(plane, "tex.grad.2d.v4.f32.s32", "{%r8,%r9}], {%f8,%f9}, {%f9,%f8}") == four(37.5));
  CHECK(get(plane, "tld4.r.2d.v4.f32.f32", "{%f0,%f1}]") == Four{65, 70, 50, 45});
  CHECK(get(plane, "tex.2dms.v4.f32.s32", "{%r10,%r8,%r9,%r9}]") == four(45));
  CHECK(get(row, "tex.1d.v4.f32.f32", "{%f0}]") == four(5));
  CHECK(get(row, "tex.1d.v4.f32.s32", "{%r8}]") == four(5));
  CHECK(get(rows, "tex.a1d.v4.f32.f32", "{%r8,%f0}]") == four(25));
  CHECK(get(planes, "tex.a2d.v4.f32.f32", "{%r8,%f0,%f1,%f1}]") == four(125));
  CHECK(get(planes, "tex.a2dms.v4.f32.s32", "{%r10,%r8,%r9,%r9}]") == four(130));
  CHECK(get(planes, "tld4.g.a2d.v4.f32.f32", "{%r8,%f0,%f1,%f1}]") == Four{146.25, 151.25, 131.25, 126.25});
  CHECK(get(volume, "tex.3d.v4.f32.f32", "{%f0,%f1,%f8,%f1}]") == four(165));
  CHECK(get(volume, "tex.grad.3d.v4.f32.f32", "{%f0,%f1,%f8,%f1}], {%f0,%f1,%f8,%f1}, {%f0,%f1,%f8,%f1}") ==
        four(165));

  for (const AddressMode mode : {AddressMode::clamp, AddressMode::border}) {
    const memory::Sampler nearest = all_axes(mode, Filter::point, false);
    const std::string read = "tex.2d.v4.f32.f32" + to + "{%f0,%f1}];";
    CHECK(as_opencl(plane, nearest, read, "1.625") == four(5));
    CHECK(as_opencl(plane, nearest, read, "2.125") == four(10));
    CHECK(as_opencl(plane, nearest, read, "-0.25") == (mode == AddressMode::border ? Four{} : four(0)));
  }
}
