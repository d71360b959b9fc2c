// One launch, one cause.
#include "tests/traces/judge/launches.h"

using namespace wedjat::traces;
using test::changed;
using test::judged;

namespace {

const std::string plain =
    "ld.global.u32 %r0, [%d0];\nld.global.u32 %r1, [%d0+4];\nxor.b32 %r2, %r0, %r1;\nadd.u32 %r3, %r2, 5;\n"
    "mov.u32 %r5, 9;\nst.global.u32 [%d1+4], %r5;\nst.global.u32 [%d1], %r3;";

}  // namespace

TEST_CASE("the same bits agree; without any there is nothing to say") {
  const Bundle bundle = test::launch(plain);
  CHECK(judged(bundle, bundle.expected).verdict == Judged::agrees);
  const LaunchJudged nothing = judged(bundle, {});
  CHECK(nothing.verdict == Judged::unknown);
  CHECK(test::has_cause(nothing, "nothing to compare"));
}

TEST_CASE("well-defined integers: the machine code is wrong, with the store, its slice, and no more") {
  const Bundle bundle = test::launch(plain);
  const LaunchJudged found = judged(bundle, changed(bundle, test::out, 0x10));
  INFO(test::causes(found));
  CHECK(found.verdict == Judged::machine_code);
  CHECK(found.differing == 1);
  CHECK(found.evidence.empty());
  REQUIRE(found.fault.has_value());
  CHECK(found.fault->store == "st.global.u32 [%d1], %r3");
  CHECK(found.fault->address == test::out);
  CHECK(found.fault->line == 14);
  CHECK(found.fault->here != found.fault->hardware);
  // Neither the other store nor what it stores is among the instructions.
  CHECK(found.fault->instructions.size() == 5);
  for (const std::string& text : found.fault->instructions) CHECK(text.find("%r5") == std::string::npos);
}

TEST_CASE("contraction, approximation and NaNs are freedoms") {
  const Bundle sum = test::launch(
      "ld.global.f32 %f0, [%d0]; mul.f32 %f2, %f0, %f0; add.f32 %f3, %f2, %f0; "
      "st.global.f32 [%d1], %f3;");
  wedjat::device::Device apart({.threads = 1, .contract = wedjat::kernel::Contract::none});
  const Runs not_fused = run_bundle(apart, sum).left;
  const LaunchJudged contracted = judged(sum, not_fused);
  INFO(test::causes(contracted));
  CHECK(contracted.verdict == Judged::open);
  CHECK(test::has_cause(contracted, "contraction"));
  // Another value than both ways give may be one of fusing some of them only: that is not known.
  CHECK(judged(sum, changed(sum, test::out, 0x100)).verdict == Judged::unknown);
  const Bundle rounded = test::launch(
      "ld.global.f32 %f0, [%d0]; mul.rn.f32 %f2, %f0, %f0; add.rn.f32 %f3, %f2, %f0; "
      "st.global.f32 [%d1], %f3;");
  CHECK(judged(rounded, changed(rounded, test::out, 0x100)).verdict == Judged::machine_code);

  const Bundle sine =
      test::launch("ld.global.f32 %f0, [%d0]; sin.approx.f32 %f1, %f0; st.global.f32 [%d1], %f1;");
  // The bits of two NaNs, but of integers: nothing excuses them.
  const Bundle bits = test::launch(
      "mov.u32 %r0, 0x7fc00000; ld.global.u32 %r1, [%d0]; and.b32 %r1, %r1, 1; "
      "add.u32 %r0, %r0, %r1; add.u32 %r0, %r0, 8; st.global.u32 [%d1], %r0;");
  CHECK(judged(bits, changed(bits, test::out, 0x10)).verdict == Judged::machine_code);

  const LaunchJudged near = judged(sine, changed(sine, test::out, 1));
  CHECK(near.verdict == Judged::open);
  CHECK(test::has_cause(near, "approximation"));

  const Bundle none =
      test::launch("mov.f32 %f0, 0f7F800000; sub.f32 %f1, %f0, %f0; st.global.f32 [%d1], %f1;");
  const LaunchJudged payload = judged(none, changed(none, test::out, 0x1));
  CHECK(payload.verdict == Judged::open);
  CHECK(test::has_cause(payload, "NaN payload"));

  // Of halves, alone and packed; a number beside the NaN is no freedom.
  const Bundle halves = test::launch(
      "mov.b32 %r0, 0x7c007c00; sub.f16x2 %r1, %r0, %r0; mov.b32 %r2, 0x3c003c00; "
      "prmt.b32 %r1, %r1, %r2, 0x5410; st.global.u32 [%d1], %r1;");
  CHECK(test::has_cause(judged(halves, changed(halves, test::out, 0x8001)), "NaN payload"));
  CHECK(judged(halves, changed(halves, test::out, 0x10001)).verdict == Judged::machine_code);
  const Bundle half =
      test::launch("{ .reg .b16 %h; mov.b16 %h, 0x7c00; sub.f16 %h, %h, %h; st.global.u16 [%d1], %h; }");
  CHECK(test::has_cause(judged(half, changed(half, test::out, 0x1)), "NaN payload"));
}

TEST_CASE("undefined values leave it open: registers and shared memory that nobody wrote") {
  const Bundle undefined = test::launch("add.u32 %r1, %r0, 1; st.global.u32 [%d1], %r1;");
  const LaunchJudged registers = judged(undefined, changed(undefined, test::out, 0x40));
  INFO(test::causes(registers));
  CHECK(registers.verdict == Judged::open);
  // An update of memory whose result takes the place of its operand.
  const Bundle updated = test::launch("atom.global.max.s32 %r1, [%d1], %r1;");
  CHECK(judged(updated, changed(updated, test::out, 0x40)).verdict == Judged::open);
  const Bundle shared = test::launch("ld.shared.u32 %r0, [tile+16]; st.global.u32 [%d1], %r0;");
  const LaunchJudged unwritten = judged(shared, changed(shared, test::out, 0x40));
  CHECK(unwritten.verdict == Judged::open);
  CHECK(test::has_cause(unwritten, "unwritten memory"));
}

TEST_CASE("races leave it open, also where no order that was tried changes the value") {
  const Bundle race = test::launch("st.global.u32 [%d1], %t;", 64);
  const LaunchJudged found = judged(race, changed(race, test::out, 63 ^ 5));
  INFO(test::causes(found));
  CHECK(found.verdict == Judged::open);
  CHECK(test::has_cause(found, "global-race"));
}

TEST_CASE("a form whose results were not compared with hardware is no ground to blame the machine code") {
  const Bundle bundle = test::launch(
      "ld.global.u32 %r0, [%d0]; mov.u32 %r1, %clock; and.b32 %r2, %r1, 0; "
      "add.u32 %r3, %r0, %r2; st.global.u32 [%d1], %r3;");
  const LaunchJudged found = judged(bundle, changed(bundle, test::out, 1));
  INFO(test::causes(found));
  CHECK(found.verdict != Judged::agrees);
}

TEST_CASE("a form that the manual does not have is no ground to blame the machine code") {
  const std::string begin = "ld.global.u32 %r0, [%d0]; mov.u32 %r3, 0x7fffffff; add.cc.u32 %r1, %r0, %r0;\n";
  const Bundle bundle = test::launch(begin + "madc.hi.sat.s32 %r2, %r0, %r0, %r3; st.global.u32 [%d1], %r2;");
  const LaunchJudged found = judged(bundle, changed(bundle, test::out, 0x10));
  INFO(test::causes(found));
  CHECK(found.verdict == Judged::unknown);
  CHECK(test::has_cause(found, "undocumented"));
  const Bundle other = test::launch(begin + "madc.hi.s32 %r2, %r0, %r0, %r3; st.global.u32 [%d1], %r2;");
  CHECK(judged(other, changed(other, test::out, 0x10)).verdict == Judged::machine_code);
  // Beside it, and no part of the value.
  const Bundle beside = test::launch(
      begin + "madc.hi.sat.s32 %r2, %r0, %r0, %r3; st.global.u32 [%d1+4], %r2; st.global.u32 [%d1], %r0;");
  CHECK(judged(beside, changed(beside, test::out, 0x10)).verdict == Judged::machine_code);
}

TEST_CASE("what a division by zero gives is left to the machine, other quotients are not") {
  const auto verdict = [](const std::string& dividing) {
    const Bundle bundle = test::launch("ld.global.u32 %r0, [%d0]; and.b32 %r1, %r0, 0; " + dividing +
                                       " st.global.u32 [%d1], %r2;");
    return judged(bundle, changed(bundle, test::out, 0x10));
  };
  for (const char* const dividing :
       {"rem.u32 %r2, %r0, %r1;", "div.s32 %r2, %r0, %r1;", "div.u32 %r2, %r0, %r1; add.u32 %r2, %r2, 1;"}) {
    const LaunchJudged found = verdict(dividing);
    INFO(dividing, test::causes(found));
    CHECK(found.verdict == Judged::open);
    CHECK(test::has_cause(found, "division by zero"));
  }
  CHECK(verdict("add.u32 %r1, %r1, 3; rem.u32 %r2, %r0, %r1;").verdict == Judged::machine_code);
  // Beside it, and no part of the value.
  CHECK(verdict("div.u32 %r3, %r0, %r1; mov.u32 %r2, %r0;").verdict == Judged::machine_code);
}

TEST_CASE(
    "what decides whether and where a value is stored has a part in it, and calls and memory hide none") {
  // A sum that may be fused, and what comes of it.
  const std::string sum = "ld.global.f32 %f0, [%d0]; mul.f32 %f2, %f0, %f0; add.f32 %f3, %f2, %f0;\n";
  const char* const uses[] = {
      "setp.gt.f32 %p, %f3, %f0; mov.u32 %r0, 1; @%p bra next; mov.u32 %r0, 2; next: st.global.u32 [%d1], "
      "%r0;",
      "setp.gt.f32 %p, %f3, 0f70000000; mov.u32 %r0, 1; @%p mov.u32 %r0, 2; st.global.u32 [%d1], %r0;",
      "mov.u32 %r0, 1; st.global.u32 [%d1], %r0; setp.gt.f32 %p, %f3, 0f00000000; mov.u32 %r0, 2;"
      "@%p st.global.u32 [%d1], %r0;",
      "{ .local .align 4 .f32 spill; st.local.f32 [spill], %f3; ld.local.u32 %r0, [spill]; "
      "st.global.u32 [%d1], %r0; }",
      "mov.b32 %r0, %f3; add.cc.u32 %r1, %r0, %r0; addc.u32 %r2, 1, 2; st.global.u32 [%d1], %r2;",
      "mov.b32 %r0, %f3; call (%r1), same, (%r0); st.global.u32 [%d1], %r1;",
      "mov.b32 %r0, %f3; { .param .b32 a; .param .b32 b; st.param.b32 [a], %r0; call (b), passed, (a); "
      "ld.param.b32 %r1, [b]; } st.global.u32 [%d1], %r1;",
      "mov.b32 %r0, %f3; and.b32 %r0, %r0, 4; cvt.u64.u32 %d2, %r0; add.u64 %d2, %d0, %d2; "
      "ld.global.u32 %r1, [%d2]; st.global.u32 [%d1], %r1;"};
  const std::string functions =
      ".func (.reg .b32 %r1) same(.reg .b32 %r0) { mov.b32 %r1, %r0; ret; }\n"
      ".func (.param .b32 to) passed(.param .b32 from) { .reg .b32 %r9; ld.param.b32 %r9, [from]; "
      "st.param.b32 [to], %r9; ret; }\n";
  for (const char* const use : uses) {
    INFO(use);
    const Bundle bundle = test::launch(sum + use, 1, functions);
    const LaunchJudged found = judged(bundle, changed(bundle, test::out, 0x10));
    INFO(test::causes(found));
    CHECK(found.verdict == Judged::unknown);
    CHECK(test::has_cause(found, "contraction"));
  }
}
