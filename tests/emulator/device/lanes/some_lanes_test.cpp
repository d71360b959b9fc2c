// Lanes side by side of which some do not take part, and would reach what lies before or behind the memory of
// the others: in both tiers the same bits, counts and faults, and native code runs it.
#include <doctest/doctest.h>

#include <string>

#include "tests/emulator/device/two_tiers.h"

using namespace wedjat;

namespace {

// Of 64 lanes those from `from` on and below `limit` take part, and the first of them has the first word.
test::TieredKernel before_and_behind(const std::string& body, std::string& text) {
  text = R"(.version 8.7
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 from, .param .u32 limit) {
  .reg .b64 %out, %at, %wide, %at8, %last, %d<8>; .reg .b32 %limit, %from, %i, %n, %tile, %r<16>;
  .reg .pred %p, %q;
  .shared .align 16 .b8 tile[512];
  ld.param.u64 %out, [out]; ld.param.u32 %limit, [limit]; ld.param.u32 %from, [from];
  mov.u32 %i, %tid.x; sub.u32 %n, %i, %from;
  setp.ge.u32 %p, %i, %from; setp.lt.and.u32 %p, %i, %limit, %p;
  mul.wide.s32 %wide, %n, 4; add.u64 %at, %out, %wide;
  add.u64 %last, %out, 252; mul.wide.u32 %wide, %i, 4; add.u64 %last, %last, %wide;
  mul.wide.u32 %wide, %limit, 4; sub.u64 %last, %last, %wide;
  mul.wide.s32 %wide, %n, 8; add.u64 %at8, %out, %wide;
  mov.u32 %tile, tile; mad.lo.u32 %tile, %n, 4, %tile;
)" + body +
         "  ret;\n}\n";
  return {"some_lanes", text.c_str(), 64};
}

void compare_some(const std::string& body) {
  std::string text;
  const test::TieredKernel kernel = before_and_behind(body, text);
  for (const std::uint32_t from : {0u, 1u, 5u, 31u, 32u, 40u})
    for (const std::uint32_t limit : {64u, 63u, 33u, 17u, 6u, 1u})
      for (const char* features : {"", "-avx512f"})
        test::compare_tiers(kernel, {.arguments = {from, limit}, .threads = 64, .times = 2},
                            {.features = features});
}

}  // namespace

TEST_CASE("guarded lanes stay within what the others lie beyond") {
  compare_some(R"(
  mov.u32 %r1, 3; mov.u64 %d1, 4;
  @%p ld.global.u32 %r1, [%at];
  @%p ld.global.u64 %d1, [%at8];
  cvt.u32.u64 %r2, %d1; add.u32 %r1, %r1, %r2;
  @%p st.global.u32 [%last+4], %r1;
)");
}

TEST_CASE("lanes that go another way stay within what the others lie beyond") {
  compare_some(R"(
  mov.u32 %r1, 3;
  @!%p bra other;
  ld.global.u32 %r1, [%at]; st.shared.u32 [%tile], %r1; add.u32 %r1, %r1, 7;
  bra.uni join;
other:
  mul.lo.u32 %r1, %i, 3;
join:
  bar.sync 0;
  @%p ld.shared.u32 %r2, [%tile];
  @%p add.u32 %r1, %r1, %r2;
  @%p st.global.u32 [%at], %r1;
)");
}

TEST_CASE("a lane that takes part and lies beyond is told of") {
  compare_some(R"(
  mov.u32 %r1, 3; setp.ge.u32 %p, %i, 1;
  @%p ld.global.u32 %r1, [%at];
  @%p st.global.u32 [%at+4], %r1;
)");
}
