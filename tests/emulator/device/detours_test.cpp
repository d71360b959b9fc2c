// Lanes that part and meet again inside native code: who goes first, what is counted, and when lanes that ran
// long make way, is as the interpreter has it.
#include <doctest/doctest.h>

#include "tests/emulator/device/two_tiers.h"

using namespace wedjat;

namespace {

// Lanes take one of two ways, then one inside another, then one of four, and mix a word of shared memory that
// nobody guards into what they have: its last writer shows who went when. `how` says what else some do: 1:
// one of the ways is long; 2: an atomic whose result is used; 4: a lane reads far away; 8: lanes end.
constexpr const char* text = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 how, .param .u32 rounds) {
  .reg .b64 %rd<8>; .reg .b32 %r<40>; .reg .pred %p<16>;
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
  and.b32 %r6, %r4, 1;
  setp.eq.u32 %p1, %r6, 0;
  @%p1 bra even;
  mad.lo.u32 %r7, %r4, 3, %r3;
  st.shared.u32 [race], %r7;
  bra one;
even:
  ld.shared.u32 %r8, [race];
  add.u32 %r7, %r8, 5;
  xor.b32 %r7, %r7, %r3;
one:
  add.u32 %r4, %r4, %r7;
  and.b32 %r6, %r4, 6;
  setp.eq.u32 %p2, %r6, 0;
  @%p2 bra two;
  ld.shared.u32 %r9, [race+4];
  and.b32 %r10, %r4, 4;
  setp.ne.u32 %p3, %r10, 0;
  @%p3 bra inner;
  mad.lo.u32 %r9, %r9, 7, %r4;
  st.shared.u32 [race+4], %r9;
  setp.ne.u32 %p4, %r30, 0;
  @!%p4 bra inner;
  mov.u32 %r11, 900;
long:
  mad.lo.u32 %r9, %r9, 3, %r11;
  add.u32 %r11, %r11, -1;
  setp.ne.u32 %p5, %r11, 0;
  @%p5 bra long;
inner:
  add.u32 %r4, %r4, %r9;
two:
  and.b32 %r12, %r4, 3;
  setp.eq.u32 %p6, %r12, 0;
  @%p6 bra zero;
  setp.eq.u32 %p6, %r12, 1;
  @%p6 bra first;
  setp.eq.u32 %p6, %r12, 2;
  @%p6 bra second;
  setp.eq.u32 %p7, %r31, 0;
  @%p7 bra no_atomic;
  atom.global.add.u32 %r13, [%rd1+2044], %r4;
  add.u32 %r4, %r4, %r13;
no_atomic:
  add.u32 %r4, %r4, 11;
  bra three;
zero:
  ld.shared.u32 %r14, [race+8];
  add.u32 %r4, %r4, %r14;
  add.u32 %r4, %r4, 12;
  bra three;
first:
  st.shared.u32 [race+8], %r4;
  setp.eq.u32 %p8, %r32, 0;
  setp.lt.or.u32 %p8, %r5, 40, %p8;
  @%p8 bra no_fault;
  add.s64 %rd4, %rd3, 0x10000000;
  ld.global.u32 %r4, [%rd4];
no_fault:
  add.u32 %r4, %r4, 13;
  bra three;
second:
  xor.b32 %r4, %r4, %r5;
  setp.ne.u32 %p9, %r33, 0;
  setp.gt.and.u32 %p9, %r5, 20, %p9;
  @%p9 bra done;
three:
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p10, %r5, %r2;
  @%p10 bra again;
done:
  st.global.u32 [%rd3], %r4;
  ret;
})";

double compare(std::uint32_t how, std::uint32_t rounds, compile::TierOptions options = {}) {
  return test::compare_tiers({"detours.ptx", text, 512},
                             {.arguments = {how, rounds}, .blocks = 2, .threads = 96}, std::move(options));
}

}  // namespace

TEST_CASE("ways that lanes take apart, and inside one another") {
  for (const std::uint32_t how : {0, 1, 2, 4, 8, 1 | 8, 2 | 8, 1 | 2}) {
    compare(how, 100);
    compare(how, 50, {.leave = 3});
    compare(how, 50, {.leave = 11});
  }
}
TEST_CASE("lanes that part so often that others make way") {
  CHECK(compare(0, 30000) > 0.9);
  compare(1, 2000);
}
