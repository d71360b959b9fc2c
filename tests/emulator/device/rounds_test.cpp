// Lanes that leave loops apart inside native code: who goes first, what is counted, and when lanes that ran
// long make way, is as the interpreter has it.
#include <doctest/doctest.h>

#include "tests/emulator/device/two_tiers.h"

using namespace wedjat;

namespace {

// Lanes leave a loop one by one, then two loops one in the other, of which some rounds end early, and mix a
// word of shared memory that nobody guards into what they have: its last writer shows who went when. `how`
// says what else some do: 1: a loop is long; 2: an atomic whose result is used; 4: a lane reads far away; 8:
// lanes end.
constexpr const char* text = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 how, .param .u32 rounds) {
  .reg .b64 %rd<8>; .reg .b32 %r<40>; .reg .pred %p<20>;
  .shared .align 4 .b8 race[256];
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [how];
  ld.param.u32 %r2, [rounds];
  mov.u32 %r3, %tid.x;
  mul.wide.u32 %rd2, %r3, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r4, [%rd3];
  mov.u32 %r5, 0;
  and.b32 %r30, %r1, 1;
  and.b32 %r31, %r1, 2;
  and.b32 %r32, %r1, 4;
  and.b32 %r33, %r1, 8;
again:
  mov.u32 %r6, 0;
  and.b32 %r7, %r4, 15;
  setp.eq.u32 %p1, %r30, 0;
  @%p1 bra short;
  and.b32 %r8, %r3, 7;
  setp.eq.u32 %p2, %r8, 5;
  @%p2 add.u32 %r7, %r7, 9000;
short:
  ld.shared.u32 %r9, [race];
  mad.lo.u32 %r4, %r4, 5, %r9;
  st.shared.u32 [race], %r4;
  add.u32 %r6, %r6, 1;
  setp.le.u32 %p3, %r6, %r7;
  @%p3 bra short;
  add.u32 %r4, %r4, %r6;
  mov.u32 %r10, 0;
  shr.u32 %r11, %r4, 5;
  and.b32 %r11, %r11, 3;
outer:
  shr.u32 %r12, %r4, 9;
  and.b32 %r12, %r12, 7;
  mov.u32 %r13, 0;
inner:
  setp.ge.u32 %p4, %r13, %r12;
  @%p4 bra inner_done;
  add.u32 %r13, %r13, 1;
  xor.b32 %r14, %r4, %r13;
  and.b32 %r14, %r14, 1;
  setp.eq.u32 %p5, %r14, 0;
  @%p5 bra inner;
  ld.shared.u32 %r15, [race+4];
  add.u32 %r4, %r4, %r15;
  mad.lo.u32 %r15, %r4, 7, %r3;
  st.shared.u32 [race+4], %r15;
  setp.eq.u32 %p6, %r31, 0;
  setp.ne.or.u32 %p6, %r12, 6, %p6;
  @%p6 bra no_atomic;
  atom.global.add.u32 %r16, [%rd1+2044], %r4;
  add.u32 %r4, %r4, %r16;
no_atomic:
  setp.eq.u32 %p7, %r32, 0;
  setp.lt.or.u32 %p7, %r5, 30, %p7;
  @%p7 bra inner;
  add.s64 %rd4, %rd3, 0x10000000;
  ld.global.u32 %r4, [%rd4];
  bra inner;
inner_done:
  add.u32 %r10, %r10, 1;
  setp.ne.u32 %p8, %r33, 0;
  setp.gt.and.u32 %p8, %r5, 20, %p8;
  setp.eq.and.u32 %p8, %r12, 4, %p8;
  @%p8 bra done;
  setp.le.u32 %p9, %r10, %r11;
  @%p9 bra outer;
  add.u32 %r4, %r4, %r10;
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p10, %r5, %r2;
  @%p10 bra again;
done:
  st.global.u32 [%rd3], %r4;
  ret;
})";

double compare(std::uint32_t how, std::uint32_t rounds, compile::TierOptions options = {}) {
  return test::compare_tiers({"rounds.ptx", text, 512},
                             {.arguments = {how, rounds}, .blocks = 2, .threads = 96}, std::move(options));
}

}  // namespace

TEST_CASE("loops that lanes leave apart, and inside one another") {
  for (const std::uint32_t how : {0, 1, 2, 4, 8, 1 | 8, 2 | 8, 1 | 2}) {
    compare(how, 40);
    compare(how, 40, {.leave = 3});
    compare(how, 40, {.leave = 11});
  }
}
TEST_CASE("lanes that stay in a loop so long that others make way") {
  CHECK(compare(0, 8000) > 0.9);
  compare(1, 60);
}
