// Reads of textures and surfaces in loops of whole kernels on one host thread: ns per warp instruction, the
// loop and the scheduler's step included. Lanes lie side by side and move on, as in an image filter.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstring>
#include <string>

#include "emulator/device/device.h"

namespace wedjat::bench {
namespace {

using memory::ChannelFormat;

constexpr unsigned loops = 512, per_loop = 8, edge = 256;
constexpr std::uint64_t texture = 0x77, surface = 0x78;

struct Subject {
  std::string name;
  std::string instruction;  // %t, %s: texture and surface; %x %y %z: the place in texels, %bx: in bytes
  ChannelFormat format = ChannelFormat::f32;
  unsigned channels = 4;
  memory::Filter filter = memory::Filter::point;
  std::uint64_t depth = 0;
  unsigned levels = 1;
};

std::vector<Subject> subjects() {
  const std::string d = "{%d0, %d1, %d2, %d3}", tex = "tex.2d.v4.f32.f32 " + d + ", [%t, {%x, %y}];";
  using memory::Filter;
  return {
      {"tex.2d f32x4 point", tex},
      {"tex.2d f32 linear", tex, ChannelFormat::f32, 1, Filter::linear},
      {"tex.2d f32x4 linear", tex, ChannelFormat::f32, 4, Filter::linear},
      {"tex.2d u8x4 linear", tex, ChannelFormat::u8, 4, Filter::linear},
      {"tex.2d f16x4 linear", tex, ChannelFormat::f16, 4, Filter::linear},
      {"tex.3d f32 linear", "tex.3d.v4.f32.f32 " + d + ", [%t, {%x, %y, %x, %x}];", ChannelFormat::f32, 1,
       Filter::linear, 32},
      {"tex.level.2d f32 trilinear", "tex.level.2d.v4.f32.f32 " + d + ", [%t, {%u, %v}], 0f3EAAAAAB;",
       ChannelFormat::f32, 1, Filter::linear, 0, 4},
      {"tex.2d s32 coordinates", "tex.2d.v4.f32.s32 " + d + ", [%t, {%i, %j}];"},
      {"tld4.r.2d f32", "tld4.r.2d.v4.f32.f32 " + d + ", [%t, {%x, %y}];", ChannelFormat::f32, 1,
       Filter::linear},
      {"suld.b.2d.b32", "suld.b.2d.b32.trap {%d0}, [%s, {%bx, %j}];", ChannelFormat::u32, 1},
      {"suld.b.2d.v4.b32", "suld.b.2d.v4.b32.zero " + d + ", [%s, {%bx, %j}];"},
      {"sust.b.2d.b32", "sust.b.2d.b32.trap [%s, {%bx, %j}], {%d0};", ChannelFormat::u32, 1},
  };
}

void fill(const memory::Array& array, ChannelFormat format) {
  const unsigned bytes = memory::bytes_of(format);
  for (std::uint64_t at = 0; at < array.shape().bytes(); at += bytes) {
    const auto mixed = static_cast<std::uint32_t>(at * 2654435761u);
    const float number = static_cast<float>(mixed >> 8) * 0x1p-20f;
    std::uint32_t word = 0;
    std::memcpy(&word, &number, sizeof word);
    if (format == ChannelFormat::f16) word = 0x3000 + (mixed & 0xfff);
    if (format != ChannelFormat::f32 && format != ChannelFormat::f16) word = mixed;
    std::memcpy(array.data() + at, &word, bytes);
  }
}

void make_objects(device::Device& device, const Subject& subject) {
  const memory::ArrayShape shape{edge, edge, subject.depth, subject.format, subject.channels};
  memory::Texture made;
  made.texels.shape = shape;
  for (unsigned level = 0; level < subject.levels; ++level) {
    made.texels.levels.push_back(device.make_array(shape.at_level(level)));
    fill(*made.texels.levels.back(), subject.format);
  }
  made.sampler.filter = made.sampler.mip_filter = subject.filter;
  made.sampler.normalized_coordinates = subject.levels > 1;
  made.sampler.max_level = static_cast<float>(subject.levels);
  device.textures().textures[texture] = made;
  device.textures().surfaces[surface] = {made.texels.levels[0]};
}

std::string kernel_of(const Subject& subject) {
  std::string text = fmt::format(
      ".version 8.4\n.target sm_90a\n.address_size 64\n.visible .entry k()\n{{\n"
      ".reg .b64 %t, %s; .reg .b32 %i, %j, %bx, %d<4>, %n; .reg .f32 %x, %y, %u, %v; .reg .pred %p;\n"
      "mov.u64 %t, {}; mov.u64 %s, {}; mov.u32 %i, %tid.x; mov.u32 %j, 3; mov.u32 %d0, 1; mov.u32 %n, {};\n"
      "again:\ncvt.rn.f32.u32 %x, %i; cvt.rn.f32.u32 %y, %j; add.f32 %x, %x, 0f3E99999A; add.f32 %y, %y, "
      "0f3F333333;\n"
      "mul.f32 %u, %x, 0f3B800000; mul.f32 %v, %y, 0f3B800000; mul.lo.u32 %bx, %i, {};\n",
      texture, surface, loops, subject.channels * memory::bytes_of(subject.format));
  for (unsigned i = 0; i < per_loop; ++i) text += subject.instruction + "\n";
  return text +
         "add.u32 %j, %j, 1; and.b32 %j, %j, 63;\nsub.u32 %n, %n, 1;\nsetp.ne.u32 %p, %n, 0;\n@%p bra "
         "again;\nret;\n}\n";
}

void measure(benchmark::State& state, const Subject& subject) {
  constexpr unsigned warps = 4;
  device::DeviceOptions options;
  options.threads = 1;
  device::Device device(options);
  make_objects(device, subject);
  device::Module* module = device.load_module({{subject.name, kernel_of(subject)}}, {});
  const device::Function function = device.function(module, "k");
  device::LaunchConfig config;
  config.block[0] = 32 * warps;
  for (auto _ : state) device.launch(function, config, {});
  state.counters["each"] = benchmark::Counter(double(state.iterations()) * loops * per_loop * warps,
                                              benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

}  // namespace
}  // namespace wedjat::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  for (const wedjat::bench::Subject& subject : wedjat::bench::subjects())
    benchmark::RegisterBenchmark(subject.name.c_str(), wedjat::bench::measure, subject);
  benchmark::RunSpecifiedBenchmarks();
}
