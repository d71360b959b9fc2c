// Paths diverge and reconverge, and loops of different length end together.
#include <doctest/doctest.h>

#include "tests/emulator/exec/hand_launch.h"

using namespace wedjat;
using namespace wedjat::test;
using kernel::End;
using kernel::Space;
using kernel::SpecialRegister;

TEST_CASE("both sides of a branch run, and the lanes reconverge behind it") {
  auto k = hand_kernel("branch", 1, 8);
  FunctionWriter f(k, 0);
  const P low = f.pred();
  const R tid = f.special(SpecialRegister::tid_x), ten = f.constant(10), seven = f.constant(7),
          value = f.reg(), together = f.reg();
  const D out = f.parameter(0), at = f.wide();
  f.block();
  f.step(less, {low.at, tid.at, ten.at});
  f.end(End::Branch, 2, 1, when(low));
  f.block();  // lanes 10 …
  f.step(mul, {value.at, tid.at, seven.at});
  f.fall(3);
  f.block();  // lanes 0 … 9
  f.step(add, {value.at, tid.at, seven.at});
  f.fall(3);
  f.block();
  f.step(active_mask, {together.at});
  f.step(add, {value.at, value.at, together.at});
  f.step(address4, {at.at, out.at, tid.at});
  f.step(store32<Space::Global>, {at.at, value.at});
  f.exit();

  HandDevice device;
  device.buffer(32);
  const auto statistics = device.run(k, {}, {32});
  for (std::uint32_t i = 0; i < 32; ++i) CHECK(device.words(0)[i] == (i < 10 ? i + 7 : i * 7) + 0xffffffffu);
  CHECK(statistics.warp_instructions == 2 + 1 + 1 + 5);
  CHECK(statistics.thread_instructions == 2 * 32 + 22 + 10 + 5 * 32);
}

TEST_CASE("a loop whose lanes leave one after the other ends with all of them together") {
  auto k = hand_kernel("loop", 1, 8);
  FunctionWriter f(k, 0);
  const P more = f.pred();
  const R tid = f.special(SpecialRegister::tid_x), one = f.constant(1), zero = f.constant(0), i = f.reg(),
          sum = f.reg(), together = f.reg();
  const D out = f.parameter(0), at = f.wide();
  f.block();
  f.step(move, {i.at, i.at, zero.at});
  f.step(move, {sum.at, sum.at, zero.at});
  f.fall(1);
  f.block();
  f.step(add, {sum.at, sum.at, i.at});
  f.step(less, {more.at, i.at, tid.at});
  f.step(add, {i.at, i.at, one.at});
  f.end(End::Branch, 1, 2, when(more));
  f.block();
  f.step(active_mask, {together.at});
  f.step(bit_and, {together.at, together.at, one.at});
  f.step(add, {sum.at, sum.at, together.at});
  f.step(address4, {at.at, out.at, tid.at});
  f.step(store32<Space::Global>, {at.at, sum.at});
  f.exit();

  HandDevice device;
  device.buffer(40);
  device.run(k, {}, {40});
  // Lane 0 took part in the last block with all others, so each sees bit 0 of the mask.
  for (std::uint32_t t = 0; t < 40; ++t) CHECK(device.words(0)[t] == t * (t + 1) / 2 + 1);
}

TEST_CASE("guarded steps and guarded exits touch only their lanes") {
  auto k = hand_kernel("guards", 1, 8);
  FunctionWriter f(k, 0);
  const P low = f.pred();
  const R tid = f.special(SpecialRegister::tid_x), four = f.constant(4), value = f.constant(1);
  const R mine = f.reg();
  const D out = f.parameter(0), at = f.wide();
  f.block();
  f.step(less, {low.at, tid.at, four.at});
  f.step(move, {mine.at, mine.at, tid.at});
  f.step(add, {mine.at, mine.at, value.at}, when(low));
  f.step(address4, {at.at, out.at, tid.at});
  f.step(store32<Space::Global>, {at.at, mine.at}, unless(low));
  f.exit(unless(low), 1);
  f.block();
  f.step(add, {mine.at, mine.at, four.at});
  f.step(store32<Space::Global>, {at.at, mine.at});
  f.exit();

  HandDevice device;
  device.buffer(32);
  device.run(k, {}, {32});
  for (std::uint32_t t = 0; t < 32; ++t) CHECK(device.words(0)[t] == (t < 4 ? t + 5 : t));
}

TEST_CASE("an indexed branch sends each lane to its own target") {
  auto k = hand_kernel("indexed", 1, 8);
  FunctionWriter f(k, 0);
  const R tid = f.special(SpecialRegister::tid_x), three = f.constant(3), index = f.reg(), value = f.reg();
  const R ten = f.constant(10), twenty = f.constant(20), thirty = f.constant(30);
  const D out = f.parameter(0), at = f.wide();
  f.block();
  f.step(bit_and, {index.at, tid.at, three.at});
  auto& end = f.end(End::IndexedBranch);
  end.row = index.at;
  end.targets = {1, 2, 1, 3};
  const R values[] = {ten, twenty, thirty};
  for (const R& v : values) {
    f.block();
    f.step(move, {value.at, value.at, v.at});
    f.fall(4);
  }
  f.block();
  f.step(address4, {at.at, out.at, tid.at});
  f.step(store32<Space::Global>, {at.at, value.at});
  f.exit();

  HandDevice device;
  device.buffer(32);
  device.run(k, {}, {32});
  const std::uint32_t expected[] = {10, 20, 10, 30};
  for (std::uint32_t t = 0; t < 32; ++t) CHECK(device.words(0)[t] == expected[t & 3]);

  SUBCASE("an index past the targets is an error") {
    k.functions[0].blocks[0].end.targets.resize(2);
    CHECK_THROWS_WITH_AS(device.run(k, {}, {32}),
                         doctest::Contains("branch index 2, but there are 2 targets"), exec::Fault);
  }
}
