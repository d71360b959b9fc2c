// What a racing load may see, and that nothing else changes.
#include "traces/order/racing_loads.h"

#include <doctest/doctest.h>

#include <set>

#include "tests/traces/order/launched.h"
#include "traces/read/trace.h"
#include "traces/replay/replay.h"

using namespace wedjat;

namespace {

// All warps but one store 7 and, after a barrier, 8 and their number; that one loads after the barrier, here
// later than the others store. What its lanes saw lies at 128.
constexpr const char* kernel = R"(.version 8.7
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 p) {
  .shared .align 4 .b32 s[32]; .reg .b64 %rd<4>; .reg .b32 %r<9>; .reg .pred %p<3>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  and.b32 %r2, %r1, 31;
  shl.b32 %r2, %r2, 2;
  cvt.u64.u32 %rd2, %r2;
  mov.u32 %r3, s;
  add.u32 %r2, %r2, %r3;
  shr.u32 %r5, %r1, 5;
  setp.eq.u32 %p1, %r5, READER;
@%p1 bra WAIT;
  st.shared.u32 [%r2], 7;
WAIT:
  bar.sync 0;
@%p1 bra READ;
  add.u32 %r5, %r5, 8;
  st.shared.u32 [%r2], %r5;
READ:
  BARRIER
@!%p1 bra DONE;
  ld.shared.u32 %r4, [%r2];
  add.s64 %rd2, %rd2, %rd1;
  st.global.u32 [%rd2+128], %r4;
DONE:
  ret; })";

std::set<std::uint32_t> seen(bool ordered, int draw, unsigned warps = 2, const char* type = "u32") {
  std::string text = kernel;
  text.replace(text.find("READER"), 6, std::to_string(warps - 2));
  text.replace(text.find("ld.shared.u32") + 10, 3, type);
  text.replace(text.find("BARRIER"), 7, ordered ? "bar.sync 0;" : "");
  hooks::Hooks hooks;
  if (draw >= 0) traces::let_loads_race(hooks, static_cast<unsigned>(draw));
  const auto words = test::launched<std::uint32_t>(text, 32 * warps, draw >= 0 ? &hooks : nullptr, 64);
  return {words.begin() + 32, words.end()};
}

}  // namespace

TEST_CASE("a load that races with a store may take what was there before it, each lane for itself") {
  CHECK(seen(false, -1) == std::set<std::uint32_t>{9});
  CHECK(seen(false, 0) == std::set<std::uint32_t>{7});
  for (unsigned draw = 1; draw < traces::racing_draws; ++draw)
    CHECK(seen(false, static_cast<int>(draw)) == std::set<std::uint32_t>{7, 9});
}

TEST_CASE("where several stores race with a load, it may take what was there before the last or before all") {
  CHECK(seen(false, -1, 3) == std::set<std::uint32_t>{8});
  CHECK(seen(false, 0, 3) == std::set<std::uint32_t>{7});
  CHECK(seen(false, 1, 3) == std::set<std::uint32_t>{8, 10});
  CHECK(seen(false, 2, 3) == std::set<std::uint32_t>{7, 8});
  CHECK(seen(true, 0, 3) == seen(true, -1, 3));
}

TEST_CASE("a load that a barrier orders after the store takes what it stored") {
  for (unsigned draw = 0; draw < traces::racing_draws; ++draw)
    CHECK(seen(true, static_cast<int>(draw)) == std::set<std::uint32_t>{9});
}

TEST_CASE("floats go as far beyond what was there after or before the store, numbers of other types stay") {
  const auto after = static_cast<int>(traces::racing_draws), before = after + 1;
  // Bits of subnormals, which count like integers.
  CHECK(seen(false, after, 2, "f32") == std::set<std::uint32_t>{11});
  CHECK(seen(false, before, 2, "f32") == std::set<std::uint32_t>{5});
  for (const int nudge : {after, before}) {
    CHECK(seen(true, nudge, 2, "f32") == std::set<std::uint32_t>{9});
    CHECK(seen(false, nudge) == std::set<std::uint32_t>{9});
  }
}

TEST_CASE("programs without races compute the same") {
  for (const char* name : {"rodinia/lud", "rodinia/nw", "rodinia/hotspot", "polybench/gramschm"}) {
    CAPTURE(name);
    const traces::Trace trace =
        traces::open_trace(WEDJAT_SOURCE_DIR "/traces/regression/" + std::string(name) + ".tar.zst");
    for (const unsigned draw : {0u, traces::racing_draws}) {
      hooks::Hooks hooks;
      traces::let_loads_race(hooks, draw);
      CHECK(traces::replay(trace, {.threads = 1, .hooks = &hooks}).exact());
    }
  }
}
