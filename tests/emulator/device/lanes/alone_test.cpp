// One lane on a path of its own: its code computes numbers, and leaves what the other lanes have as it is.
#include <doctest/doctest.h>

#include "tests/emulator/device/two_tiers.h"

using namespace wedjat;

namespace {

// Each turn another lane, `who` at first, takes a way of its own through all that code treats apart: memory
// of its own, updates whose results are used, steps under guards, executors, roundings, predicates and rows
// that all read afterwards. `how` says what else it does: 1: it reads far away; 2: it ends; 4: it goes round
// for long.
constexpr test::TieredKernel alone = {"alone", R"(.version 8.7
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 who, .param .u32 how) {
  .reg .b64 %out, %at, %l, %w<4>; .reg .b32 %who, %how, %x, %sum, %turn, %t, %v<10>; .reg .pred %p, %q, %g, %h, %far, %end, %long;
  .reg .f32 %f<4>; .reg .f64 %d<4>; .reg .b16 %s<4>;
  .local .align 16 .b8 own[64];
  .shared .align 8 .b8 all[64];
  ld.param.u64 %out, [out]; ld.param.u32 %who, [who]; ld.param.u32 %how, [how];
  mov.u32 %x, %tid.x; mul.wide.u32 %at, %x, 4; add.u64 %at, %out, %at; ld.global.u32 %sum, [%at];
  and.b32 %t, %how, 1; setp.ne.u32 %far, %t, 0; and.b32 %t, %how, 2; setp.ne.u32 %end, %t, 0;
  and.b32 %t, %how, 4; setp.ne.u32 %long, %t, 0;
  mov.u64 %l, own; mov.u32 %turn, 0; setp.lt.u32 %q, %x, 9; mov.u32 %v9, 3; mov.f64 %d3, 0d3FF0000000000000;
  st.local.u32 [%l+32], %x;
  st.shared.u64 [all], %at; st.shared.u64 [all+8], %at;
  bar.sync 0;
again:
  setp.ne.u32 %p, %x, %who;
  @%p bra meet;
  and.b32 %t, %sum, 12; cvt.u64.u32 %w0, %t; add.u64 %w0, %l, %w0;
  st.local.u32 [%w0], %sum; st.local.v2.u32 [%l+16], {%t, %who};
  ld.local.u32 %v0, [%l+4]; ld.local.v2.u32 {%v1, %v2}, [%l+16]; ld.local.u32 %v3, [%l+32];
  add.u32 %sum, %sum, %v1; add.u32 %sum, %sum, %v2; add.u32 %sum, %sum, %v3;
  setp.eq.u32 %g, %t, 4; selp.u32 %v0, %v0, 5, %g; add.u32 %sum, %sum, %v0;
  @%g ld.local.u32 %v9, [%w0]; @!%g add.u32 %v9, %v9, 9;
  @%g st.global.u32 [%out+512], %sum; @!%g st.global.v2.u32 [%out+520], {%v9, %who};
  atom.global.add.u32 %v4, [%out+516], %sum; atom.shared.max.u64 %w1, [all], %w0; red.global.xor.b32 [%out+536], %sum;
  @%g atom.shared.cas.b32 %v4, [all+8], %v4, %sum; cvt.u32.u64 %v5, %w1;
  xor.b32 %sum, %sum, %v4; and.b32 %v5, %v5, 60; add.u32 %sum, %sum, %v5;
  cvt.rn.f32.u32 %f0, %sum; add.rz.f32 %f1, %f0, 0f3DCCCCCD; mul.rm.ftz.f32 %f1, %f1, %f0; sqrt.approx.f32 %f2, %f1;
  ex2.approx.f32 %f3, 0f3F4CCCCD; sin.approx.f32 %f2, %f2; fma.rn.f32 %f2, %f2, %f3, 0f7FC00001;
  cvt.f64.f32 %d0, %f1; fma.rn.f64 %d3, %d3, %d0, 0d400921FB54442D18; div.rn.f64 %d3, %d3, %d0; mov.b64 %w2, %d3;
  cvt.u16.u32 %s0, %sum; mul.lo.u16 %s1, %s0, 77; mul.wide.u16 %v6, %s1, %s0; add.u32 %sum, %sum, %v6;
  mov.b32 %v6, %f2; xor.b32 %sum, %sum, %v6; cvt.u32.u64 %v6, %w2; add.u32 %sum, %sum, %v6;
  activemask.b32 %v7; add.u32 %sum, %sum, %v7;
  shfl.sync.idx.b32 %v8|%h, %sum, %x, 31, %v7; add.u32 %sum, %sum, %v8; @%h add.u32 %sum, %sum, 1;
  vote.sync.ballot.b32 %v8, %g, %v7; add.u32 %sum, %sum, %v8;
  setp.gt.u32 %q, %sum, 0x20000000;
  mov.u32 %t, 3; @%long mov.u32 %t, 1500;
round:
  mad.lo.u32 %sum, %sum, 5, %t; add.u32 %t, %t, -1; setp.ne.u32 %h, %t, 0;
  @%h bra round;
  setp.lt.or.u32 %h, %turn, 3, !%far;
  @%h bra near;
  add.u64 %w3, %at, 0x10000000; ld.global.u32 %sum, [%w3];
near:
  setp.lt.or.u32 %h, %turn, 2, !%end;
  @%h bra meet;
  st.global.u32 [%at], %sum;
  exit;
meet:
  @%q add.u32 %sum, %sum, %v9;
  add.u32 %who, %who, 7; and.b32 %who, %who, 31;
  add.u32 %turn, %turn, 1; setp.lt.u32 %p, %turn, 6;
  @%p bra again;
  cvt.rzi.s32.f64 %t, %d3; add.u32 %sum, %sum, %t;
  st.global.u32 [%at], %sum;
  ret;
})",
                                      160};

}  // namespace

TEST_CASE("one lane on a path of its own does in native code what it does otherwise") {
  struct Way {
    std::uint32_t who;
    const char* features;
  };
  for (const Way way : {Way{13, ""}, Way{0, "-avx512f"},
                        Way{31, "-avx512f,-avx2,-avx,-fma,-f16c,-bmi,-bmi2,-sse4.2,-popcnt"}})
    for (const std::uint32_t how : {0u, 5u, 6u})
      test::compare_tiers(alone, {.arguments = {way.who, how}, .threads = 64, .times = 2},
                          {.features = way.features});
}

TEST_CASE("and where it is left again and again, or ends early") {
  for (const std::uint32_t how : {0u, 6u}) {
    test::TieredLaunch launch{.arguments = {3, how}, .threads = 64, .times = 2};
    test::compare_tiers(alone, launch, {.leave = 3});
    launch.step_limit = 700;
    test::compare_tiers(alone, launch);
  }
}

TEST_CASE("most of it runs natively") {
  CHECK(test::compare_tiers(alone, {.arguments = {5, 4}, .threads = 64, .times = 2}) > .8);
}
