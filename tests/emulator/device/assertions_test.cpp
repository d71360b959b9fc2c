// Warps that fail an assertion, and what the others then do (measured on an H100).
#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

#include "emulator/device/device.h"
#include "emulator/device/error.h"
#include "tests/emulator/device/two_tiers.h"

using namespace wedjat;

namespace {

// Each warp runs `wait` rounds, in which it does `before`; then lanes of the warps in the mask `who` assert.
std::string asserting(const std::string& before, const std::string& behind) {
  return R"(.version 8.0
.target sm_90
.address_size 64
.extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);
.extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);
.global .align 1 .b8 text[2] = {97, 0};
.visible .entry k(.param .u64 out, .param .u32 who, .param .u32 wait) {
  .reg .b64 %rd<8>; .reg .b32 %r<12>; .reg .pred %p<4>;
  .shared .align 4 .u32 flag;
  ld.param.u64 %rd1, [out]; ld.param.u32 %r1, [who]; ld.param.u32 %r2, [wait];
  mov.u32 %r3, %tid.x; shr.u32 %r4, %r3, 5; shr.u32 %r5, %r1, %r4; and.b32 %r5, %r5, 1;
  setp.ne.u32 %p1, %r5, 0; mov.u64 %rd2, text; cvta.global.u64 %rd2, %rd2;
)" + before +
         R"(
  @!%p1 bra done;
  { .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;
    st.param.b64 [a], %rd2; st.param.b64 [b], %rd2; st.param.b32 [c], 5; st.param.b64 [d], %rd2;
    st.param.b64 [e], 1; call __assertfail, (a, b, c, d, e); }
done:
)" + behind +
         "  ret;\n}\n";
}

struct Run {
  std::optional<exec::FaultKind> fault;
  std::vector<std::string> threads;  // "[x,0,0], thread: [y,0,0]"
  std::string text;
};

Run run(const std::string& text, std::uint32_t who, std::uint32_t blocks, std::uint32_t threads,
        unsigned host_threads, std::uint32_t wait = 0) {
  device::DeviceOptions options;
  options.threads = host_threads;
  device::Device device(std::move(options));
  const device::Function k = device.function(device.load_module({{"asserts", text}}, {}), "k");
  device.allocate_at(0x10000, 4096, "out");
  struct {
    std::uint64_t out = 0x10000;
    std::uint32_t who, wait;
  } arguments{.who = who, .wait = wait};
  Run result;
  try {
    device.launch(k, {{blocks, 1, 1}, {threads, 1, 1}, {1, 1, 1}, 0},
                  std::as_bytes(std::span(&arguments, 1)));
  } catch (const device::Failed& failed) {
    result.fault = failed.fault;
    result.text = failed.what();
    for (std::size_t at = 0; (at = result.text.find("block: ", at)) != std::string::npos; ++at)
      result.threads.push_back(result.text.substr(at + 7, result.text.find(" Assertion", at) - at - 7));
  }
  return result;
}

std::string thread(std::uint32_t block, std::uint32_t number) {
  return "[" + std::to_string(block) + ",0,0], thread: [" + std::to_string(number) + ",0,0]";
}

}  // namespace

TEST_CASE("all threads that fail an assertion at the same time have their line, in order") {
  for (const unsigned host_threads : {1u, 3u})
    for (const std::string before :
         {"",
          "{ .param .b64 a; .param .b64 b; .param .b32 r; st.param.b64 [a], %rd2; st.param.b64 [b], 0;\n"
          "call (r), vprintf, (a, b); }"}) {
      const Run all = run(asserting(before, ""), 3, 2, 64, host_threads);
      CHECK(all.fault == exec::FaultKind::assertion);
      REQUIRE(all.threads.size() == 128);
      for (std::uint32_t i = 0; i < 128; ++i) CHECK(all.threads[i] == thread(i / 64, i % 64));
      // Of very many those that come first.
      const Run many = run(asserting(before, ""), 0xff, 400, 256, host_threads);
      REQUIRE(many.threads.size() == 1024);
      for (std::uint32_t i = 0; i < 1024; ++i) CHECK(many.threads[i] == thread(i / 256, i % 256));
    }
}

TEST_CASE("who waits for a warp that failed an assertion ends with it") {
  const Run waits = run(asserting("", "bar.sync 0;"), 1, 1, 96, 1);
  CHECK(waits.fault == exec::FaultKind::assertion);
  CHECK(waits.threads.size() == 32);
  // Nobody will ever set what they spin on.
  const std::string spins =
      "again: ld.volatile.shared.u32 %r6, [flag]; setp.eq.u32 %p2, %r6, 0; @%p2 bra again;";
  const Run spinning = run(asserting("", spins), 2, 3, 96, 1);
  CHECK(spinning.fault == exec::FaultKind::assertion);
  CHECK(spinning.threads.size() == 96);
}

TEST_CASE("what a warp does wrong beside one that failed an assertion is what the launch fails with") {
  CHECK(run(asserting("", "mov.u64 %rd3, 16; st.global.u32 [%rd3], 1;"), 1, 1, 64, 1).fault ==
        exec::FaultKind::out_of_bounds);
}

TEST_CASE("assertions are the same in native code") {
  const std::string rounds = R"(
  mov.u32 %r7, 0; mul.wide.u32 %rd4, %r3, 4; add.u64 %rd4, %rd4, %rd1;
again:
  mad.lo.u32 %r8, %r7, %r3, %r8; st.global.u32 [%rd4], %r8; )",
                    ends = "add.u32 %r7, %r7, 1; setp.le.u32 %p2, %r7, %r2; @%p2 bra again;\n";
  for (const std::string meet : {"", "bar.sync 0;\n"}) {
    const std::string text = asserting(rounds + meet + ends, "bar.sync 0; st.global.u32 [%rd4], 1;");
    const test::TieredKernel tiered{"asserts", text.c_str(), 1024};
    for (const std::uint32_t who : {1u, 2u, 4u, 5u, 0xffu})
      for (const std::uint32_t wait : {0u, 40u, 4000u})
        test::compare_tiers(tiered, {.arguments = {who, wait}, .blocks = 3, .threads = 256, .times = 1});
  }
}
