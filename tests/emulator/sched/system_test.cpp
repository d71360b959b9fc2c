// printf, assert, malloc and free, the stack, clocks: steps the engine carries out itself; and that nothing
// leaks from CTA to CTA.
#include <doctest/doctest.h>

#include <cstring>

#include "tests/emulator/exec/hand_launch.h"

using namespace wedjat;
using namespace wedjat::test;
using kernel::End;
using kernel::Space;
using kernel::SpecialRegister;
using kernel::SystemOp;
namespace flag = kernel::step_flag;

TEST_CASE("printf: in CTA order, lane after lane, on any number of threads") {
  auto k = hand_kernel("hello", 1, 8);
  FunctionWriter f(k, 0);
  const R tid = f.special(SpecialRegister::tid_x), cta = f.special(SpecialRegister::ctaid_x),
          result = f.reg();
  const D format = f.parameter(0), local = f.local_address(0), at = f.wide();
  const D arguments = f.wide_constant(memory::local_window.base);
  const R one = f.constant(1);
  f.function().local_bytes = 16;
  f.block();
  f.step(store32<Space::Local>, {local.at, cta.at});
  f.step(address4, {at.at, local.at, one.at});
  f.step(store32<Space::Local>, {at.at, tid.at});
  f.system(SystemOp::Vprintf, {result.at, format.at, arguments.at}, flag::ordered);
  f.exit();
  k.ordered = true;
  std::string expected;
  for (int c = 0; c < 50; ++c)
    for (int t = 0; t < 3; ++t)
      expected += "CTA " + std::to_string(c) + ": thread 0" + std::to_string(t) + " 100%\n";
  for (unsigned host : {1u, 3u}) {
    HandDevice device;
    device.buffer(16);
    std::strcpy(reinterpret_cast<char*>(device.words(0)), "CTA %d: thread %02u 100%%\n");
    device.run(k, {50}, {3}, {.threads = host});
    CHECK(device.printed == expected);
  }
}

TEST_CASE("malloc gives blocks that hold what is stored; free takes them back, and no others") {
  auto build = [](bool free_twice, bool use_after) {
    auto k = hand_kernel("heap", 1, 8);
    FunctionWriter f(k, 0);
    const R tid = f.special(SpecialRegister::tid_x), value = f.reg();
    const D bytes = f.wide_constant(64), block = f.wide(), out = f.parameter(0), at = f.wide();
    f.block();
    f.system(SystemOp::Malloc, {block.at, bytes.at}, flag::ordered);
    f.step(store32<Space::Generic>, {block.at, tid.at});
    f.step(load32<Space::Generic>, {value.at, block.at});
    f.step(address4, {at.at, out.at, tid.at});
    f.step(store32<Space::Global>, {at.at, value.at});
    f.system(SystemOp::Free, {block.at}, flag::ordered);
    if (free_twice) f.system(SystemOp::Free, {block.at}, flag::ordered);
    if (use_after) f.step(load32<Space::Generic>, {value.at, block.at});
    f.exit();
    return k;
  };
  HandDevice device;
  device.buffer(64);
  device.run(build(false, false), {}, {64});
  for (std::uint32_t i = 0; i < 64; ++i) CHECK(device.words(0)[i] == i);
  CHECK_THROWS_WITH_AS(device.run(build(true, false), {}, {64}), doctest::Contains("bad free"), exec::Fault);
  CHECK_THROWS_WITH_AS(device.run(build(false, true), {}, {64}), doctest::Contains("use after free"),
                       exec::Fault);
}

TEST_CASE("assert fails the launch with the program's own words") {
  auto k = hand_kernel("asserts", 1, 8);
  FunctionWriter f(k, 0);
  const R tid = f.special(SpecialRegister::tid_x), three = f.constant(3), line = f.constant(17);
  const P bad = f.pred();
  const D text = f.parameter(0), size = f.wide_constant(1);
  f.block();
  f.step(equal, {bad.at, tid.at, three.at});
  f.system(SystemOp::AssertFail, {text.at, text.at, line.at, text.at, size.at}, flag::ordered, when(bad));
  f.exit();
  HandDevice device;
  device.buffer(4);
  std::strcpy(reinterpret_cast<char*>(device.words(0)), "n > 0");
  CHECK_THROWS_WITH_AS(
      device.run(k, {}, {32}),
      doctest::Contains("n > 0:17: n > 0: block: [0,0,0], thread: [3,0,0] Assertion `n > 0` failed.\n"),
      exec::Fault);
  CHECK_THROWS_WITH_AS(device.run(k, {}, {32}), doctest::Contains("thread (3,0,0)"), exec::Fault);
  // Each thread of the warp that fails has its line.
  CHECK_THROWS_WITH_AS(device.run(k, {}, {4, 2}),
                       doctest::Contains("thread: [3,0,0] Assertion `n > 0` failed.\n"
                                         "n > 0:17: n > 0: block: [0,0,0], thread: [3,1,0]"),
                       exec::Fault);
  CHECK_NOTHROW(device.run(k, {}, {3}));
}

TEST_CASE("alloca gives each lane what it asks for; the stack comes back where it was saved") {
  auto k = hand_kernel("stack", 1, 8);
  FunctionWriter f(k, 0);
  f.function().local_bytes = 32;
  const R tid = f.special(SpecialRegister::tid_x), index = f.reg(), many = f.constant(32);
  const D none = f.wide_constant(0), bytes = f.wide(), saved = f.wide(), first = f.wide(), second = f.wide(),
          out = f.parameter(0), at = f.wide();
  f.block();
  f.step(address4, {bytes.at, none.at, tid.at});  // lane l asks for 4 * l bytes
  f.system(SystemOp::StackSave, {saved.at});
  f.system(SystemOp::Alloca, {first.at, bytes.at, 16});
  f.system(SystemOp::Alloca, {second.at, bytes.at, 64});
  f.step(address4, {at.at, out.at, tid.at});
  f.step(store32<Space::Global>, {at.at, second.at});
  f.system(SystemOp::StackRestore, {saved.at});
  f.system(SystemOp::Alloca, {second.at, bytes.at, 16});
  f.step(add, {index.at, tid.at, many.at});
  f.step(address4, {at.at, out.at, index.at});
  f.step(store32<Space::Global>, {at.at, second.at});
  f.exit();
  HandDevice device;
  device.buffer(64);
  device.run(k, {}, {32});
  // Stored as 32-bit lanes, a row of 64-bit numbers shows the low half of lane l at word 2 * l.
  for (std::uint32_t lane = 0; lane < 16; ++lane) {
    CHECK(device.words(0)[2 * lane] == (lane <= 8 ? 64 : 128));
    CHECK(device.words(0)[32 + 2 * lane] == 32);
  }
  SUBCASE("more than a thread has") {
    for (auto& fill : k.functions[0].fills)
      if (fill.element_bytes == 8 && fill.source == kernel::RowFill::Source::Constant) fill.value = 1 << 20;
    CHECK_THROWS_WITH_AS(device.run(k, {}, {32}), doctest::Contains("stack overflow"), exec::Fault);
  }
}

TEST_CASE("a CTA finds shared and local memory zero, whatever ran before it") {
  auto k = hand_kernel("fresh", 1, 8);
  FunctionWriter f(k, 0);
  f.function().local_bytes = 16;
  const R tid = f.special(SpecialRegister::tid_x), ones = f.constant(0xffffffff), a = f.reg(), b = f.reg(),
          unused = f.reg();
  const D shared = f.wide_constant(memory::shared_reserved), local = f.local_address(4), out = f.parameter(0),
          at = f.wide();
  f.block();
  f.step(address4, {at.at, shared.at, tid.at});
  f.step(load32<Space::Shared>, {a.at, at.at});
  f.step(load32<Space::Local>, {b.at, local.at});
  f.step(add, {a.at, a.at, b.at});
  f.step(store32<Space::Shared>, {at.at, ones.at});
  f.step(store32<Space::Local>, {local.at, ones.at});
  f.step(atomic_add<Space::Global>, {unused.at, out.at, a.at});
  f.exit();
  HandDevice device;
  device.buffer(1);
  device.run(k, {20}, {64}, {.threads = 3}, 256);
  CHECK(device.words(0)[0] == 0);
}

TEST_CASE("clocks run with the CTA's own steps, and a sleep makes them jump") {
  auto k = hand_kernel("clock", 1, 8);
  FunctionWriter f(k, 0);
  const R before = f.reg(), after = f.reg(), later = f.reg(), nap = f.constant(1000);
  const D out = f.parameter(0), at = f.wide();
  const R one = f.constant(1);
  auto read = [&](R r) {
    f.system(SystemOp::Refresh, {r.at, static_cast<std::uint32_t>(SpecialRegister::clock), 4});
  };
  f.block();
  read(before);
  f.step(add, {after.at, before.at, before.at});
  read(after);
  f.system(SystemOp::Nanosleep, {nap.at});
  read(later);
  f.step(sub, {later.at, later.at, after.at});
  f.step(sub, {after.at, after.at, before.at});
  f.step(store32<Space::Global>, {out.at, after.at});
  f.step(address4, {at.at, out.at, one.at});
  f.step(store32<Space::Global>, {at.at, later.at});
  f.exit();
  HandDevice device;
  device.buffer(2);
  device.run(k, {}, {1});
  CHECK(device.words(0)[0] == 2);
  CHECK(device.words(0)[1] == 1002);
}
