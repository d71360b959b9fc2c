// Launches of one kernel, caught on a device of the test: four words at `out`, from four words at `in`.
#pragma once

#include <doctest/doctest.h>

#include <cstring>
#include <optional>
#include <string>

#include "traces/extract/capture.h"
#include "traces/judge/judge.h"

namespace test {

using namespace wedjat::traces;

inline constexpr std::uint64_t in = 0x60000000000, out = 0x60000200000;

// `body` has %d0 (in), %d1 (out), the thread in %t, and %r, %f, %s (double) registers.
// `functions` stand before the kernel.
inline Bundle launch(const std::string& body, unsigned threads = 1, const std::string& functions = "") {
  namespace device = wedjat::device;
  const std::string ptx =
      ".version 8.0\n.target sm_90\n.address_size 64\n" + functions +
      ".visible .entry k(.param .u64 in, .param .u64 out) {\n"
      "  .reg .b64 %d<8>; .reg .b32 %r<8>; .reg .f32 %f<8>; .reg .f64 %s<8>; .reg .b32 %t; .reg .pred %p;\n"
      "  .shared .align 4 .b8 tile[256];\n"
      "  ld.param.u64 %d0, [in]; ld.param.u64 %d1, [out]; mov.u32 %t, %tid.x;\n" +
      body + "\n  ret;\n}\n";
  std::optional<Bundle> caught;
  Capture capture([](std::uint64_t, const std::string&) { return true; }, false,
                  [&](Bundle&& bundle) { caught.emplace(std::move(bundle)); });
  wedjat::hooks::Hooks hooks;
  capture.attach(hooks);
  device::Device gpu({.threads = 1, .hooks = &hooks});
  gpu.allocate_at(in, 4096, "in");
  gpu.allocate_at(out, 4096, "out");
  const float numbers[] = {1.1f, 2.3f, -3.7f, 0.7f};
  gpu.write(in, std::as_bytes(std::span(numbers)));
  const std::vector<device::PtxSource> sources = {{"k.ptx", ptx}};
  device::Module* const module = gpu.load_module(sources, {});
  const device::LaunchConfig config{{1, 1, 1}, {threads, 1, 1}};
  const std::uint64_t parameters[] = {in, out};
  const std::string kernel = "k";
  const auto packed = std::as_bytes(std::span(parameters));
  capture.announce({0, kernel, gpu, module, sources, config, packed});
  gpu.launch(gpu.function(module, kernel), config, packed);
  REQUIRE(caught.has_value());
  return std::move(*caught);
}

// What the launch writes, with the word at `address` changed.
inline Runs changed(const Bundle& bundle, std::uint64_t address, std::uint32_t flip) {
  Runs hardware;
  for (const Run& run : bundle.expected) {
    auto contents = run.contents();
    if (address - run.address < run.bytes) {
      std::uint32_t word = 0;
      std::memcpy(&word, contents.data() + (address - run.address), sizeof word);
      word ^= flip;
      std::memcpy(contents.data() + (address - run.address), &word, sizeof word);
    }
    hardware.push_back({run.address, run.bytes, contents});
  }
  return hardware;
}

inline LaunchJudged judged(const Bundle& bundle, const Runs& hardware) {
  return LaunchJudge(bundle, {}).judge(hardware);
}

inline bool has_cause(const LaunchJudged& found, const std::string& cause) {
  for (const Evidence& one : found.evidence)
    if (one.cause == cause) return true;
  return false;
}

inline std::string causes(const LaunchJudged& found) {
  std::string text;
  for (const Evidence& one : found.evidence) text += one.cause + ": " + one.text + "\n";
  return text;
}

}  // namespace test
