// Blocks that all get hot at once: the first code runs all of them, so the others need none of their own.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <chrono>
#include <cstring>
#include <thread>

#include "emulator/compile/tier/tier.h"
#include "emulator/device/device.h"

using namespace wedjat;

namespace {

constexpr std::uint64_t buffer = 0x7f0000000000;

// Blocks one behind the other; none of their branches is ever taken.
std::string chain(unsigned blocks) {
  std::string text = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out) {
  .reg .b64 %rd<3>; .reg .b32 %r<4>; .reg .pred %never;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd1, %rd1, %rd2;
  setp.eq.u32 %never, %r1, 77777;
)";
  for (unsigned i = 0; i < blocks; ++i) {
    text += "  @%never bra done;\n";
    for (unsigned j = 0; j < 10; ++j) text += fmt::format("  mad.lo.u32 %r1, %r1, {}, {};\n", 2 * i + 3, j);
    text += "  setp.eq.u64 %never, %rd1, 7;\n";
  }
  return text + "  st.global.u32 [%rd1], %r1;\ndone: ret;\n}";
}

}  // namespace

TEST_CASE("blocks that code made meanwhile runs get none of their own") {
  const auto tier = std::make_shared<compile::Tier>(compile::TierOptions{});
  if (!tier->missing().empty()) {
    CHECK(!WEDJAT_HAS_COMPILER);
    return;
  }
  device::Device device({.threads = 1, .native = tier});
  device::Module* module = device.load_module({{"chain.ptx", chain(12)}}, {});
  device.allocate_at(buffer, 4 * 256, "out");
  std::vector<std::byte> parameters(8);
  std::memcpy(parameters.data(), &buffer, 8);
  const auto launch = [&] {
    device.launch(device.function(module, "k"), {.grid = {1000, 1, 1}, .block = {256, 1, 1}}, parameters);
  };
  const auto made = [&] { return tier->reports().empty() ? 0 : tier->reports().front().pieces; };
  for (int i = 0; i < 1'000 && made() == 0; ++i) launch();
  REQUIRE(made() > 0);
  for (int i = 0; i < 10; ++i) launch();
  std::this_thread::sleep_for(std::chrono::milliseconds(500));  // for whatever else is ordered
  tier->stop();
  // Of the beginning, for a CTA's warps at once or for one; and one more that was in the making.
  CHECK(made() <= 3);
}
