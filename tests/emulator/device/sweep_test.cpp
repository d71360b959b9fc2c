// Warps that native code takes one after the other: they run, stop and fail as the interpreter's do.
#include <doctest/doctest.h>

#include "tests/emulator/device/two_tiers.h"

using namespace wedjat;

namespace {

// Each thread runs `rounds` rounds, those of some warps more; odd lanes of one warp take another way; each
// adds to its word, and the thread `wrong` to one far away.
constexpr const char* text = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 rounds, .param .u32 wrong) {
  .reg .b64 %rd<4>; .reg .b32 %r<12>; .reg .pred %p<4>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [rounds];
  ld.param.u32 %r2, [wrong];
  mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mov.u32 %r5, %tid.x;
  mad.lo.s32 %r6, %r3, %r4, %r5;
  shr.u32 %r7, %r6, 5;
  and.b32 %r8, %r7, 3;
  setp.eq.u32 %p1, %r8, 2;
  @%p1 shl.b32 %r1, %r1, 4;
  mov.u32 %r9, 0;
again:
  mad.lo.u32 %r9, %r9, 3, %r6;
  add.s32 %r1, %r1, -1;
  setp.gt.s32 %p2, %r1, 0;
  @%p2 bra again;
  setp.ne.u32 %p1, %r7, 5;
  @%p1 bra done;
  and.b32 %r10, %r6, 1;
  setp.eq.u32 %p3, %r10, 0;
  @%p3 bra done;
  xor.b32 %r9, %r9, 255;
done:
  setp.eq.u32 %p1, %r6, %r2;
  selp.b32 %r11, 0x1000000, %r6, %p1;
  mul.wide.u32 %rd2, %r11, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r10, [%rd3];
  add.u32 %r10, %r10, %r9;
  st.global.u32 [%rd3], %r10;
  ret;
})";

// Writes before it reads elsewhere, at several steps; `how` 1: warps read shared memory at the same step as
// others the device's; 2: lanes before the first that does it reach nothing; 4: the second half of the warps
// reads behind the end.
constexpr const char* reaching = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 how, .param .u32 unused) {
  .reg .b64 %rd<12>; .reg .b32 %r<16>; .reg .pred %p<8>;
  .shared .align 4 .b8 part[1024];
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [how];
  mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mov.u32 %r5, %tid.x;
  mad.lo.s32 %r6, %r3, %r4, %r5;
  mul.wide.u32 %rd2, %r6, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r6;
  ld.global.u32 %r7, [%rd3+4096];
  st.global.u32 [%rd3+8192], %r7;
  shl.b32 %r8, %r5, 2;
  mov.u32 %r9, part;
  add.u32 %r9, %r9, %r8;
  st.shared.u32 [%r9], %r7;
  ld.global.u32 %r13, [%rd3+12288];
  mov.u32 %r15, 5;
  shr.u32 %r11, %r6, 5;
  and.b32 %r10, %r1, 1;
  setp.eq.u32 %p1, %r10, 0;
  @%p1 bra not_shared;
  and.b32 %r12, %r11, 1;
  setp.eq.u32 %p1, %r12, 1;
  mov.u64 %rd4, part;
  cvta.shared.u64 %rd4, %rd4;
  cvt.u64.u32 %rd5, %r8;
  add.s64 %rd4, %rd4, %rd5;
  selp.b64 %rd6, %rd4, %rd3, %p1;
  ld.u32 %r13, [%rd6];
not_shared:
  and.b32 %r10, %r1, 2;
  setp.eq.u32 %p2, %r10, 0;
  @%p2 bra all_lanes;
  and.b32 %r14, %r5, 31;
  setp.lt.u32 %p3, %r14, 3;
  selp.b64 %rd7, 64, %rd3, %p3;
  @!%p3 ld.global.u32 %r15, [%rd7+16384];
all_lanes:
  and.b32 %r10, %r1, 4;
  setp.eq.u32 %p4, %r10, 0;
  @%p4 bra inside;
  setp.gt.u32 %p4, %r11, 7;
  mov.u64 %rd8, %rd3;
  @!%p4 bra no_fault;
  add.s64 %rd8, %rd3, 0x4000000;
no_fault:
  ld.global.u32 %r10, [%rd8];
inside:
  add.u32 %r13, %r13, %r15;
  xor.b32 %r13, %r13, %r10;
  st.global.u32 [%rd3], %r13;
  ret;
})";

// Reads before it writes, over several blocks, of which lanes leave one out. `how` 1: some warps read shared
// memory and the device's in one step before they write; 2: after that; 4: one reads behind the end before,
// 8: after; 16: what they read lies elsewhere from CTA to CTA.
constexpr const char* anew = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 how, .param .u32 unused) {
  .reg .b64 %rd<12>; .reg .b32 %r<20>; .reg .pred %p<8>;
  .shared .align 4 .b8 part[1024];
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [how];
  mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mov.u32 %r5, %tid.x;
  mad.lo.s32 %r6, %r3, %r4, %r5;
  shr.u32 %r7, %r6, 5;
  and.b32 %r8, %r5, 31;
  mul.wide.u32 %rd2, %r6, 4;
  add.s64 %rd3, %rd1, %rd2;
  mov.u64 %rd4, part;
  cvta.shared.u64 %rd4, %rd4;
  mov.u32 %r15, 3;
  setp.lt.u32 %p1, %r8, 9;
  @%p1 bra some;
  mad.lo.u32 %r15, %r6, 5, 7;
  xor.b32 %r15, %r15, %r8;
some:
  and.b32 %r9, %r1, 16;
  and.b32 %r10, %r3, 1;
  mul.lo.u32 %r9, %r9, %r10;
  setp.eq.u32 %p2, %r9, 16;
  selp.b64 %rd5, %rd4, %rd3, %p2;
  ld.u32 %r11, [%rd5];
  and.b32 %r9, %r7, %r1;
  and.b32 %r9, %r9, 1;
  and.b32 %r10, %r8, %r9;
  setp.eq.u32 %p3, %r10, 1;
  selp.b64 %rd6, %rd4, %rd3, %p3;
  ld.u32 %r12, [%rd6];
  and.b32 %r9, %r1, 4;
  mul.lo.u32 %r9, %r9, 100;
  sub.u32 %r9, %r9, 53;
  setp.eq.u32 %p4, %r6, %r9;
  selp.b64 %rd7, 0x4000000, 0, %p4;
  add.s64 %rd7, %rd7, %rd3;
  ld.global.u32 %r13, [%rd7];
  setp.gt.u32 %p5, %r7, 30;
  @%p5 bra written;
  add.u32 %r15, %r15, 1;
written:
  add.u32 %r11, %r11, %r12;
  mad.lo.u32 %r11, %r11, %r15, %r13;
  st.global.u32 [%rd3+8192], %r11;
  ld.global.u32 %r18, [%rd3+16384];
  add.u32 %r18, %r18, %r8;
  st.global.u32 [%rd3+16384], %r18;
  shr.u32 %r9, %r1, 1;
  and.b32 %r9, %r7, %r9;
  and.b32 %r9, %r9, 1;
  and.b32 %r10, %r8, %r9;
  setp.eq.u32 %p3, %r10, 1;
  selp.b64 %rd6, %rd4, %rd3, %p3;
  ld.u32 %r12, [%rd6];
  and.b32 %r9, %r1, 8;
  mul.lo.u32 %r9, %r9, 50;
  sub.u32 %r9, %r9, 53;
  setp.eq.u32 %p4, %r6, %r9;
  selp.b64 %rd7, 0x4000000, 0, %p4;
  add.s64 %rd7, %rd7, %rd3;
  ld.global.u32 %r13, [%rd7+8192];
  add.u32 %r12, %r12, %r13;
  st.global.u32 [%rd3], %r12;
  ret;
})";

// Each thread writes where its CTA stands, and what the ones before it have been.
constexpr const char* standing = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 unused, .param .u32 more) {
  .reg .b64 %rd<4>; .reg .b32 %r<12>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r3, %ctaid.z;
  mov.u32 %r4, %nctaid.x; mov.u32 %r5, %nctaid.y; mov.u32 %r6, %ntid.x; mov.u32 %r7, %tid.x;
  mad.lo.u32 %r8, %r3, %r5, %r2;
  mad.lo.u32 %r8, %r8, %r4, %r1;
  mad.lo.u32 %r8, %r8, %r6, %r7;
  mul.wide.u32 %rd2, %r8, 4;
  add.s64 %rd3, %rd1, %rd2;
  shl.b32 %r9, %r3, 16;
  mad.lo.u32 %r9, %r2, 256, %r9;
  add.u32 %r9, %r9, %r1;
  st.global.u32 [%rd3], %r9;
  ret;
})";

struct Wish {
  std::uint32_t threads = 200, rounds = 3, wrong = ~0u;
  std::uint64_t step_limit = 0;
  unsigned host_threads = 1;
  std::uint32_t blocks = 12;
};

double compare(const Wish& wish) {
  return test::compare_tiers({"sweep.ptx", text, 8192}, {.arguments = {wish.rounds, wish.wrong},
                                                         .blocks = wish.blocks,
                                                         .threads = wish.threads,
                                                         .step_limit = wish.step_limit,
                                                         .host_threads = wish.host_threads,
                                                         .times = 2});
}

}  // namespace

TEST_CASE("whole warps, the rest of a block, and warps whose lanes part") {
  CHECK(compare({.threads = 256}) > 0.95);
  compare({.threads = 200});
  compare({.threads = 20});
  compare({.threads = 256, .host_threads = 2});
}
TEST_CASE("warps whose share ends on the way") { CHECK(compare({.rounds = 4000}) > 0.9); }
TEST_CASE("a fault in the middle") {
  compare({.threads = 256, .wrong = 300});
  compare({.threads = 256, .wrong = 300, .host_threads = 2});
}
TEST_CASE("CTAs one after the other, more than code takes at once") {
  // Lanes of the sixth warp part, and one thread fails: in the middle of what is taken.
  for (const std::uint32_t threads : {16, 32, 64, 96})
    for (const unsigned host_threads : {1, 2})
      for (const std::uint32_t wrong : {~0u, 300u, 3000u}) {
        CAPTURE(threads);
        CAPTURE(host_threads);
        CAPTURE(wrong);
        const double share =
            compare({.threads = threads, .wrong = wrong, .host_threads = host_threads, .blocks = 80});
        if (wrong == ~0u && threads % 32 == 0) CHECK(share > 0.95);
      }
  for (const std::uint64_t limit : {1, 40, 41, 100, 130, 250, 300})
    compare({.threads = 32, .step_limit = limit, .blocks = 80});
  for (const unsigned host_threads : {1, 2})
    CHECK(test::compare_tiers(
              {"standing.ptx", standing, 32768},
              {.blocks = 7, .threads = 32, .host_threads = host_threads, .times = 2, .rows = 11}) > 0.99);
}
TEST_CASE("steps that find out on the way which memory they reach") {
  // Two threads know nothing when a launch begins.
  for (const unsigned host_threads : {1, 2}) {
    CAPTURE(host_threads);
    const auto share = [&](std::uint32_t how) {
      return test::compare_tiers(
          {"reaching.ptx", reaching, 8192},
          {.arguments = {how, 0}, .blocks = 2, .threads = 256, .host_threads = host_threads, .times = 2});
    };
    CHECK(share(0) > 0.99);
    share(1);
    share(2);
    share(4);
    share(1 | 2);
    share(1 | 2 | 4);
  }
}
TEST_CASE("warps that begin anew while they have written nothing") {
  for (const unsigned host_threads : {1, 2})
    for (std::uint32_t how = 0; how < 32; ++how) {
      CAPTURE(how);
      CAPTURE(host_threads);
      const double share = test::compare_tiers(
          {"anew.ptx", anew, 8192},
          {.arguments = {how, 0}, .blocks = 8, .threads = 256, .host_threads = host_threads, .times = 2});
      // Of several threads each wants to know what lanes touch that do not lie side by side.
      if (how == 0 && host_threads == 1) CHECK(share > 0.99);
    }
  for (const std::uint64_t limit : {1, 30, 31, 60, 300, 340, 350})
    test::compare_tiers(
        {"anew.ptx", anew, 8192},
        {.arguments = {19, 0}, .blocks = 8, .threads = 256, .step_limit = limit, .host_threads = 1});
}
TEST_CASE("limits of steps that end between warps and in them") {
  for (const std::uint64_t limit : {1, 100, 101, 130, 170, 250, 300, 100000}) compare({.step_limit = limit});
  compare({.rounds = 4000, .step_limit = 100000});
}
