// Warps that native code takes from barrier to barrier: they meet, part, stop and fail as the interpreter's
// do.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "tests/emulator/device/two_tiers.h"

using namespace wedjat;

namespace {

// Each block adds its words up in shared memory, without and with shuffles, for some rounds. `how` says what
// else happens: 1: a warp is at another barrier, and then at the one of the others; 2: two warps leave early;
// 4: a warp runs long before a barrier; 8: all race on one word; 16: the lanes of each warp part for long;
// 32: a lane reads far away; 64: warps come to one barrier at two places; 128: lanes leave;
// 256: as 16, but in the first round only, so that in later ones code begins in the middle of a phase; 512:
// in the third round all come to a barrier where nobody was before, so there is no code behind it.
constexpr const char* text = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 how, .param .u32 rounds) {
  .reg .b64 %rd<8>; .reg .b32 %r<40>; .reg .pred %p<16>;
  .shared .align 4 .b8 part[4096];
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [how];
  ld.param.u32 %r30, [rounds];
  mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x;
  mad.lo.u32 %r5, %r3, %r4, %r2;
  mul.wide.u32 %rd2, %r5, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r6, [%rd3];
  shr.u32 %r7, %r2, 5;
  mov.u32 %r8, part;
  shl.b32 %r9, %r2, 2;
  add.u32 %r10, %r8, %r9;
  mov.u32 %r20, 0;
again:
  add.u32 %r6, %r6, %r20;
  st.shared.u32 [%r10], %r6;
  and.b32 %r11, %r1, 1;
  setp.eq.u32 %p1, %r11, 1;
  setp.eq.and.u32 %p2, %r7, 1, %p1;
  @!%p2 bra no_other;
  bar.sync 3, 32;
no_other:
  and.b32 %r11, %r1, 2;
  setp.eq.u32 %p1, %r11, 2;
  setp.ge.and.u32 %p2, %r7, 6, %p1;
  @%p2 bra done;
  and.b32 %r11, %r1, 4;
  setp.eq.u32 %p1, %r11, 4;
  setp.eq.and.u32 %p2, %r7, 2, %p1;
  @!%p2 bra not_long;
  mov.u32 %r12, 9000;
long:
  mad.lo.u32 %r6, %r6, 3, %r12;
  add.u32 %r12, %r12, -1;
  setp.ne.u32 %p3, %r12, 0;
  @%p3 bra long;
not_long:
  and.b32 %r11, %r1, 8;
  setp.eq.u32 %p1, %r11, 0;
  @%p1 bra no_race;
  ld.shared.u32 %r13, [part+2048];
  mad.lo.u32 %r13, %r13, 5, %r2;
  st.shared.u32 [part+2048], %r13;
no_race:
  bar.sync 0;
  setp.gt.u32 %p4, %r2, 15;
  @%p4 bra no_sum;
  ld.shared.u32 %r14, [%r10];
  ld.shared.u32 %r15, [%r10+64];
  add.u32 %r16, %r14, %r15;
  st.shared.u32 [%r10], %r16;
no_sum:
  bar.sync 0;
  mov.u32 %r17, %r6;
  setp.eq.u32 %p5, %r2, 40;
  @!%p5 bra not_forty;
  ld.shared.u32 %r17, [part+4];
not_forty:
  and.b32 %r11, %r1, 16;
  setp.eq.u32 %p1, %r11, 16;
  and.b32 %r11, %r1, 256;
  setp.eq.u32 %p12, %r11, 256;
  setp.eq.and.u32 %p12, %r20, 0, %p12;
  or.pred %p1, %p1, %p12;
  and.b32 %r18, %r2, 1;
  setp.eq.and.u32 %p6, %r18, 1, %p1;
  @!%p6 bra not_parted;
  mov.u32 %r12, 7000;
part_long:
  mad.lo.u32 %r17, %r17, 3, %r12;
  add.u32 %r12, %r12, -1;
  setp.ne.u32 %p3, %r12, 0;
  @%p3 bra part_long;
not_parted:
  shfl.sync.down.b32 %r19|%p7, %r17, 4, 31, -1;
  @%p7 add.u32 %r17, %r17, %r19;
  shfl.sync.bfly.b32 %r19, %r17, 1, 31, -1;
  xor.b32 %r17, %r17, %r19;
  shfl.sync.up.b32 %r19|%p7, %r17, 2, 0x1800, -1;
  selp.b32 %r19, %r19, 77, %p7;
  add.u32 %r17, %r17, %r19;
  and.b32 %r11, %r1, 32;
  setp.eq.u32 %p1, %r11, 32;
  setp.eq.and.u32 %p8, %r5, 333, %p1;
  mov.u64 %rd4, %rd3;
  @!%p8 bra no_fault;
  add.s64 %rd5, %rd3, 0x10000000;
  ld.global.u32 %r17, [%rd5];
no_fault:
  and.b32 %r11, %r1, 64;
  setp.eq.u32 %p1, %r11, 64;
  setp.eq.and.u32 %p9, %r7, 3, %p1;
  @%p9 bra there;
  bar.sync 2;
  bra both;
there:
  add.u32 %r17, %r17, 1;
  bar.sync 2;
both:
  and.b32 %r11, %r1, 128;
  setp.eq.u32 %p1, %r11, 128;
  setp.eq.and.u32 %p10, %r2, 70, %p1;
  @%p10 bra done;
  and.b32 %r11, %r1, 512;
  setp.eq.u32 %p1, %r11, 512;
  setp.eq.and.u32 %p13, %r20, 2, %p1;
  @!%p13 bra not_late;
  bar.sync 4;
  mad.lo.u32 %r17, %r17, 3, %r20;
not_late:
  add.u32 %r6, %r6, %r17;
  add.u32 %r20, %r20, 1;
  setp.lt.u32 %p11, %r20, %r30;
  @%p11 bra again;
done:
  st.global.u32 [%rd3], %r6;
  ret;
})";

struct Wish {
  std::uint32_t how = 0, rounds = 3, threads = 256;
  std::uint64_t step_limit = 0;
  unsigned host_threads = 1;
};

double compare(const Wish& wish, compile::TierOptions options = {}) {
  return test::compare_tiers({"phases.ptx", text, 8192},
                             {.arguments = {wish.how, wish.rounds},
                              .blocks = 8,
                              .threads = wish.threads,
                              .step_limit = wish.step_limit,
                              .host_threads = wish.host_threads,
                              .times = 2},
                             std::move(options));
}

// What each thread asks before it does something between two barriers: warps of which no thread does pass by.
// %r2: which thread it is, in the order of lanes; some wrap around on the way.
struct Question {
  const char* before;  // its operands
  const char* asks;
};
constexpr Question questions[] = {
    {"", "gt.s32 %p1, %r2, 40"},
    {"", "lt.u32 %p1, %r2, 65"},
    {"", "ge.u32 %p1, %r2, %r1"},
    {"", "ne.s32 %p1, %r2, 0"},
    {"", "le.s32 %p1, %r2, -1"},
    {"mov.u32 %r21, 100;", "le.s32 %p1, %r21, %r2"},
    {"mov.u32 %r21, 96;", "gt.u32 %p1, %r21, %r2"},
    {"sub.s32 %r21, 70, %r2;", "lt.s32 %p1, %r21, 0"},
    {"sub.s32 %r21, 70, %r2;", "lt.u32 %p1, %r21, 50"},
    {"add.u32 %r21, %r2, 0xffffffb0;", "lt.u32 %p1, %r21, 5"},
    {"add.u32 %r21, %r2, 0x7fffffb0;", "gt.s32 %p1, %r21, 0x7fffffd0"},
    {"add.u32 %r21, %r2, 0x7fffffb0;", "ge.s32 %p1, %r21, 0"},
    {"mul.lo.u32 %r21, %r2, 0x4000001;", "le.u32 %p1, %r21, 0x20000000"},
    {"shl.b32 %r21, %r2, 3;", "ge.s32 %p1, %r21, 1000"},
    {"cvt.u64.u32 %rd6, %r2;", "gt.u64 %p1, %rd6, 99"},
    {"cvt.u16.u32 %h1, %r2; mul.lo.u16 %h2, %h1, 900;", "gt.s16 %p1, %h2, 3000"},
    {"setp.gt.u32 %p3, %r2, 200;", "lt.or.s32 %p1, %r2, 33, %p3"},
};

// Four phases of a question, and what is left after it is asked once more: the end is one of the phases.
std::string questioned(const Question& question, bool negated) {
  std::string ptx = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 how, .param .u32 rounds) {
  .reg .b64 %rd<8>; .reg .b32 %r<40>; .reg .b16 %h<4>; .reg .pred %p<4>;
  .shared .align 4 .b8 part[4096];
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [how];
  mov.u32 %r3, %tid.x; mov.u32 %r4, %tid.y; mov.u32 %r5, %ntid.x;
  mad.lo.u32 %r2, %r4, %r5, %r3;
  mov.u32 %r6, %ctaid.x; mov.u32 %r7, %ntid.y;
  mul.lo.u32 %r8, %r5, %r7;
  mad.lo.u32 %r9, %r6, %r8, %r2;
  mul.wide.u32 %rd2, %r9, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r10, [%rd3];
  mov.u32 %r11, part;
  shl.b32 %r12, %r2, 2;
  add.u32 %r11, %r11, %r12;
  st.shared.u32 [%r11], %r10;
  mov.u32 %r20, 0;
again:
  bar.sync 0;
)";
  for (int phase = 0; phase < 5; ++phase) {
    const char* const to = phase == 4 ? "all_done" : "passed";
    ptx += fmt::format("  {}\n  setp.{};\n  @{}%p1 bra {}_{};\n", question.before, question.asks,
                       negated ? "!" : "", to, phase);
    ptx += "  ld.shared.u32 %r13, [%r11+4];\n  ld.shared.u32 %r14, [%r11];\n";
    ptx += "  mad.lo.u32 %r14, %r14, 5, %r13;\n  st.shared.u32 [%r11], %r14;\n";
    // In one phase those that do something come to a barrier of their own.
    if (phase == 1) ptx += "  bar.sync 0;\n  bra together;\n";
    if (phase == 4) ptx += "  st.global.u32 [%rd3], %r14;\n";
    ptx += fmt::format("{}_{}:\n", to, phase);
    if (phase == 1) ptx += "  bar.sync 0;\ntogether:\n";
    if (phase == 0 || phase == 2) ptx += "  bar.sync 0;\n";
    // In a loop, and at two barriers.
    if (phase == 3)
      ptx +=
          "  add.u32 %r20, %r20, 1;\n  setp.lt.u32 %p2, %r20, 3;\n  @%p2 bra again;\n"
          "  ld.shared.u32 %r15, [%r11];\n  st.global.u32 [%rd3], %r15;\n  bar.sync 1;\n";
  }
  return ptx + "  ret;\n}\n";
}

}  // namespace

TEST_CASE("warps that meet at barriers, in whole blocks and others") {
  CHECK(compare({}) > 0.97);
  CHECK(compare({.threads = 200}) > 0.97);
  compare({.threads = 32});
  CHECK(compare({.host_threads = 2}) > 0.97);
}
TEST_CASE("other barriers, warps that leave, shares that end, races, lanes that part") {
  for (const std::uint32_t how :
       {1, 2, 4, 8, 16, 32, 64, 128, 4 | 8, 2 | 4 | 8, 1 | 8 | 64, 16 | 8, 2 | 64 | 128}) {
    compare({.how = how});
    compare({.how = how, .rounds = 2}, {.leave = 3});
    compare({.how = how, .host_threads = 2});
  }
}
TEST_CASE("blocks whose last warp has fewer lanes") {
  for (const std::uint32_t threads : {72u, 250u}) {
    CAPTURE(threads);
    for (const std::uint32_t how : {2 | 4 | 8, 1 | 8 | 64, 256 | 8})
      compare({.how = how, .threads = threads});
  }
  compare({.how = 16, .rounds = 2, .threads = 150, .host_threads = 2});
  compare({.how = 8, .rounds = 2, .threads = 40}, {.leave = 3});
  for (const std::uint64_t limit : {400, 640, 60'007})
    compare({.how = 8, .threads = 72, .step_limit = limit});
}
TEST_CASE("launches whose lanes ran long while others could") { compare({.how = 16 | 8, .rounds = 12}); }
TEST_CASE("code that begins in the middle of a phase") {
  for (const std::uint32_t how : {256, 256 | 4, 256 | 8, 256 | 2 | 64, 256 | 1, 256 | 32}) {
    compare({.how = how, .rounds = 9});
    compare({.how = how, .rounds = 5}, {.leave = 5});
    compare({.how = how, .rounds = 5, .host_threads = 2});
  }
  for (const std::uint64_t limit : {30'000, 31'000, 60'007, 60'100, 60'500, 62'000, 65'000})
    compare({.how = 256 | 8, .rounds = 9, .step_limit = limit});
}
TEST_CASE("a phase that all come to by way of code, and that has none") {
  compare({.how = 512, .rounds = 6});
  compare({.how = 512, .rounds = 6, .threads = 72});
  compare({.how = 512 | 8, .rounds = 6, .host_threads = 2});
}
TEST_CASE("limits of steps that end between phases and in them") {
  for (const std::uint64_t limit : {1, 40, 400, 401, 433, 500, 640, 700, 800, 1000, 1500, 100000})
    compare({.how = 8, .step_limit = limit});
  compare({.how = 4, .step_limit = 50000});
}

TEST_CASE("warps that have nothing to do between two barriers") {
  for (const Question& question : questions)
    for (const bool negated : {false, true}) {
      CAPTURE(question.before);
      CAPTURE(question.asks);
      const std::string asked = questioned(question, negated);
      const test::TieredKernel kernel{"passing_by.ptx", asked.c_str(), 8192};
      const auto ask = [&](test::TieredLaunch launch) {
        launch.arguments = {77, 0};
        launch.blocks = 5;
        return test::compare_tiers(kernel, launch);
      };
      CHECK(ask({.threads = 256, .times = 2}) > 0.9);
      ask({.threads = 16, .times = 2, .height = 16});
      ask({.threads = 250, .step_limit = 700});
      ask({.threads = 256, .host_threads = 2, .times = 2});
    }
  // The limit ends among those that pass by.
  const std::string asked = questioned(questions[0], false);
  for (std::uint64_t limit = 240; limit < 330; limit += 3)
    test::compare_tiers({"passing_by.ptx", asked.c_str(), 8192},
                        {.blocks = 3, .threads = 256, .step_limit = limit});
}
