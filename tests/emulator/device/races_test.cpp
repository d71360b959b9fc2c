// What a launch leaves never depends on the number of host threads, though its CTAs race.
#include <doctest/doctest.h>

#include <cstring>

#include "emulator/compile/tier/tier.h"
#include "emulator/device/device.h"
#include "tests/emulator/device/case_run.h"

using namespace wedjat;

TEST_CASE("CTAs that race leave what one thread leaves, again and again") {
  for (const char* name :
       {"race_stores", "race_update_load", "race_branches", "race_after_atomic", "last_cta_adds"}) {
    const test::CaseFile file =
        test::read_case(std::string(WEDJAT_SOURCE_DIR "/tests/emulator/device/cases/run/") + name + ".ptx");
    const auto alone = test::run_case(file, 1).buffers;
    for (const unsigned threads : {2u, 3u, 7u})
      for (int turn = 0; turn < 20; ++turn) {
        CAPTURE(name);
        CAPTURE(threads);
        REQUIRE(test::run_case(file, threads).buffers == alone);
      }
  }
}

namespace {

constexpr std::uint64_t buffer = 0x7f0000000000;
constexpr std::uint32_t ctas = 64, threads_each = 256, words = ctas * threads_each + 1;

// Each thread adds to its word; CTAs race for the last one.
constexpr const char* in_place = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out) {
  .reg .b64 %rd<4>; .reg .b32 %r<8>; .reg .pred %p;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r1, 256, %r2;
  mul.wide.u32 %rd2, %r3, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r4, [%rd3];
  mad.lo.u32 %r4, %r4, 3, %r3;
  st.global.u32 [%rd3], %r4;
  setp.ne.u32 %p, %r2, 255;
  @%p bra done;
  ld.global.u32 %r5, [%rd1+65536];
  mad.lo.u32 %r5, %r5, 5, %r1;
  st.global.u32 [%rd1+65536], %r5;
done:
  ret;
})";

}  // namespace

TEST_CASE("what native code did to memory is undone where CTAs raced") {
  compile::TierOptions options;
  options.when = compile::When::always;
  const auto tier = std::make_shared<compile::Tier>(options);
  if (!tier->missing().empty()) {
    CHECK(!WEDJAT_HAS_COMPILER);
    return;
  }
  const auto run = [&](unsigned threads, bool native) {
    device::Device device({.threads = threads, .native = native ? tier : nullptr});
    device::Module* module = device.load_module({{"in_place.ptx", in_place}}, {});
    device.allocate_at(buffer, 4 * words, "out");
    std::vector<std::byte> parameters(sizeof buffer);
    std::memcpy(parameters.data(), &buffer, sizeof buffer);
    for (int i = 0; i < 3; ++i)
      device.launch(device.function(module, "k"), {.grid = {ctas, 1, 1}, .block = {threads_each, 1, 1}},
                    parameters);
    std::vector<std::uint32_t> memory(words);
    device.read(buffer, std::as_writable_bytes(std::span(memory)));
    return memory;
  };
  const auto alone = run(1, false);
  for (int turn = 0; turn < 10; ++turn) {
    CHECK(run(2, true) == alone);
    CHECK(run(2, false) == alone);
  }
}
