// Matrix instructions, and those that feed them, in loops of whole kernels on one host thread: ns per warp
// instruction and GFLOP/s (integer operations count alike).
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "emulator/device/device.h"

namespace wedjat::bench {
namespace {

struct Subject {
  std::string name;
  std::string instruction;  // {r}: registers, see registers(); ends with ';'
  double operations = 0;    // of one warp
  unsigned warps = 4;
};

constexpr unsigned loops = 512, per_loop = 8;

std::string list(const char* prefix, unsigned first, unsigned count) {
  std::string text;
  for (unsigned i = first; i < first + count; ++i)
    text += fmt::format("{}{}{}", i > first ? ", " : "", prefix, i);
  return "{" + text + "}";
}

// mma.sync of a shape: registers of each operand. Always from the same sum, so that none grows beyond its
// format.
Subject mma(const std::string& form, const char* sums, unsigned c, unsigned a, unsigned b, double m, double n,
            double k) {
  return {form,
          fmt::format("{} {}, {}, {}, {};", form, list(sums, c, c), list("%a", 0, a), list("%b", 0, b),
                      list(sums, 0, c)),
          2 * m * n * k};
}

Subject wgmma(const std::string& form, unsigned sums, double n, double k, const char* more) {
  return {
      form,
      fmt::format("wgmma.fence.sync.aligned;\n{} {}, %da, %db, 1, 1, 1{};\nwgmma.commit_group.sync.aligned;\n"
                  "wgmma.wait_group.sync.aligned 0;",
                  form, list("%f", 0, sums), more),
      2 * 64 * n * k / 4};
}

std::vector<Subject> subjects() {
  std::vector<Subject> all = {
      mma("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "%f", 4, 4, 2, 16, 8, 16),
      mma("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", "%c", 2, 4, 2, 16, 8, 16),
      mma("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", "%f", 4, 4, 2, 16, 8, 16),
      mma("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "%f", 4, 4, 2, 16, 8, 8),
      mma("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", "%f", 4, 4, 2, 16, 8, 32),
      mma("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", "%c", 4, 4, 2, 16, 8, 32),
      mma("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", "%d", 2, 1, 1, 8, 8, 4),
      wgmma("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16", 32, 64, 16, ", 0, 0"),
      wgmma("wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16", 64, 128, 16, ", 0, 0"),
      wgmma("wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32", 32, 64, 8, ""),
      wgmma("wgmma.mma_async.sync.aligned.m64n64k32.f32.e4m3.e4m3", 32, 64, 32, ""),
      {"ldmatrix.sync.aligned.m8n8.x4.shared.b16",
       "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%a0, %a1, %a2, %a3}, [%at];"},
      {"ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16",
       "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%a0}, [%at];"},
      {"shfl.sync.bfly.b32", "shfl.sync.bfly.b32 %a0, %a0, 5, 31, -1;"},
      {"vote.sync.ballot.b32", "vote.sync.ballot.b32 %a0, %p, -1;"},
      {"redux.sync.add.s32", "redux.sync.add.s32 %a0, %a0, -1;"},
      {"prmt.b32", "prmt.b32 %a0, %a1, %a2, 0x5410;"},
  };
  all[6].instruction =
      "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d4, %d5}, {%d2}, {%d3}, {%d0, %d1};";
  return all;
}

std::string kernel_of(const Subject& subject) {
  std::string text =
      ".version 8.4\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
      ".reg .b32 %a<4>;\n.reg .b32 %b<4>;\n.reg .b32 %c<8>;\n.reg .f32 %f<64>;\n.reg .f64 %d<8>;\n.reg .b64 "
      "%da, %db;\n"
      ".reg .b32 %at, %i, %t;\n.reg .pred %p;\n.shared .align 1024 .b8 tiles[32768];\n"
      "mov.u32 %t, %tid.x;\nand.b32 %t, %t, 31;\n";
  // Numbers from 1 to 2 in halves, bf16 and fp8; tf32 and f64 likewise.
  for (unsigned i = 0; i < 4; ++i)
    text += fmt::format(
        "add.u32 %a{0}, %t, 0x3c003c{1:02x};\nadd.u32 %b{0}, %t, 0x3c013c{2:02x};\nmov.b32 %c{0}, "
        "0x3c003c00;\n"
        "mov.f64 %d{0}, 0d3FF8000000000000;\n",
        i, 3 * i, 5 * i);
  for (unsigned i = 0; i < 64; ++i) text += fmt::format("mov.f32 %f{}, 0f3F800000;\n", i);
  // Tiles of ones, described without swizzle: 128 bytes from one 8x16-byte block to the next.
  text +=
      "mov.u32 %i, %tid.x;\nshl.b32 %i, %i, 2;\nfill:\nmov.u32 %at, tiles;\nadd.u32 %at, %at, %i;\n"
      "st.shared.u32 [%at], %a0;\nadd.u32 %i, %i, 512;\nsetp.lt.u32 %p, %i, 32768;\n@%p bra fill;\nbar.sync "
      "0;\n"
      "mov.u32 %at, tiles;\nand.b32 %i, %at, 0x3ffff;\nshr.u32 %i, %i, 4;\ncvt.u64.u32 %da, %i;\n"
      "or.b64 %da, %da, 0x0000001000080000;\nadd.s64 %db, %da, 1024;\n"
      "shl.b32 %t, %t, 4;\nadd.u32 %at, %at, %t;\n";
  text += fmt::format("mov.u32 %i, {};\nagain:\n", loops);
  for (unsigned i = 0; i < per_loop; ++i) text += subject.instruction + "\n";
  return text + "sub.u32 %i, %i, 1;\nsetp.ne.u32 %p, %i, 0;\n@%p bra again;\nret;\n}\n";
}

void measure(benchmark::State& state, const Subject& subject) {
  device::DeviceOptions options;
  options.threads = 1;
  device::Device device(options);
  device::Module* module = device.load_module({{subject.name, kernel_of(subject)}}, {});
  const device::Function function = device.function(module, "k");
  device::LaunchConfig config;
  config.block[0] = 32 * subject.warps;
  const std::vector<std::byte> parameters(8);
  for (auto _ : state) device.launch(function, config, parameters);
  const double instructions = double(state.iterations()) * loops * per_loop * subject.warps;
  state.counters["each"] =
      benchmark::Counter(instructions, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  if (subject.operations > 0)
    state.counters["GFLOP/s"] =
        benchmark::Counter(instructions * subject.operations * 1e-9, benchmark::Counter::kIsRate);
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
