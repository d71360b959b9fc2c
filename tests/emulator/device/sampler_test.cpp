// Samplers apart from textures (.target texmode_independent).
#include <doctest/doctest.h>
#include <fmt/format.h>

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
