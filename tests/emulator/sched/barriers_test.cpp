// Barriers: whole CTAs, some of its warps, divergent arrivals, exited threads, reductions.
#include <doctest/doctest.h>

#include "tests/emulator/exec/hand_launch.h"

using namespace wedjat;
using namespace wedjat::test;
using exec::BarrierOp;
using kernel::End;
using kernel::Space;
using kernel::SpecialRegister;
namespace flag = kernel::step_flag;

namespace {

// shared[tid] = tid; barrier; out[tid] = shared[threads - 1 - tid]. If `apart`, odd and even threads come to
// the barrier on different paths.
kernel::Kernel reverse(std::uint32_t cta_threads, bool apart) {
  auto k = hand_kernel("reverse", 1, 8);
  FunctionWriter f(k, 0);
  const P odd = f.pred();
  const R tid = f.special(SpecialRegister::tid_x), zero = f.constant(0), one = f.constant(1),
          last = f.constant(cta_threads - 1);
  const R threads = f.constant(cta_threads), index = f.reg(), value = f.reg();
  const D out = f.parameter(0), at = f.wide(), shared = f.wide_constant(memory::shared_reserved);
  auto barrier = [&] { f.step(bar_sync, {zero.at, threads.at}, {}, flag::barrier, "barrier.sync 0"); };
  f.block();
  f.step(address4, {at.at, shared.at, tid.at});
  f.step(store32<Space::Shared>, {at.at, tid.at});
  f.step(bit_and, {index.at, tid.at, one.at});
  f.step(equal, {odd.at, index.at, one.at});
  if (apart)
    f.end(End::Branch, 2, 1, when(odd));
  else
    f.fall(1);
  f.block();
  barrier();
  f.fall(3);
  f.block();
  barrier();
  f.fall(3);
  f.block();
  f.step(sub, {index.at, last.at, tid.at});
  f.step(address4, {at.at, shared.at, index.at});
  f.step(load32<Space::Shared>, {value.at, at.at});
  f.step(address4, {at.at, out.at, tid.at});
  f.step(store32<Space::Global>, {at.at, value.at});
  f.exit();
  return k;
}

}  // namespace

TEST_CASE("a barrier of all threads, full and partly filled last warps, straight and in divergent code") {
  for (std::uint32_t threads : {32u, 40u, 64u, 100u, 1024u})
    for (bool apart : {false, true}) {
      CAPTURE(threads);
      CAPTURE(apart);
      HandDevice device;
      device.buffer(threads);
      device.run(reverse(threads, apart), {}, {threads}, {}, 4 * threads);
      bool right = true;
      for (std::uint32_t i = 0; i < threads; ++i) right &= device.words(0)[i] == threads - 1 - i;
      CHECK(right);
    }
}

TEST_CASE("threads that exited are not waited for") {
  auto k = reverse(96, false);
  FunctionWriter f(k, 0);
  auto& entry = f.function();
  // Threads from 40 on leave before the barrier.
  const P stays = f.pred();
  REQUIRE((stays.at / 64 + 1) < 65536);
  const R tid = f.special(SpecialRegister::tid_x), forty = f.constant(40);
  entry.blocks.insert(entry.blocks.begin(), kernel::Block{});
  for (auto& block : entry.blocks)
    if (block.end.kind == End::Fall || block.end.kind == End::Branch) ++block.end.target, ++block.end.next;
  f.block();  // at the end, but it is moved to the front below
  f.step(less, {stays.at, tid.at, forty.at});
  f.exit(unless(stays), 1);
  entry.blocks.front() = entry.blocks.back();
  entry.blocks.pop_back();
  HandDevice device;
  device.buffer(96);
  device.run(k, {}, {96}, {}, 4 * 96);
  for (std::uint32_t i = 0; i < 40; ++i) CHECK(device.words(0)[i] == (95 - i < 40 ? 95 - i : 0));
}

TEST_CASE("reductions: how many, all, any; every thread gets the outcome") {
  auto k = hand_kernel("reduce", 1, 8);
  FunctionWriter f(k, 0);
  const P few = f.pred(), all = f.pred(), any = f.pred(), all_few = f.pred(), always = f.pred();
  const R tid = f.special(SpecialRegister::tid_x), zero = f.constant(0), threads = f.constant(100),
          seven = f.constant(7);
  const R count = f.reg(), ten = f.constant(10), hundred = f.constant(100);
  const D out = f.parameter(0), at = f.wide();
  f.block();
  f.step(less, {few.at, tid.at, seven.at});
  f.step(less, {always.at, tid.at, threads.at});
  f.step(bar_red<BarrierOp::popc>, {count.at, zero.at, threads.at, few.at}, {}, flag::barrier);
  f.step(bar_red<BarrierOp::all>, {all_few.at, zero.at, threads.at, few.at}, {}, flag::barrier);
  f.step(bar_red<BarrierOp::all>, {all.at, zero.at, threads.at, always.at}, {}, flag::barrier);
  f.step(bar_red<BarrierOp::any>, {any.at, zero.at, threads.at, few.at}, {}, flag::barrier);
  f.step(add, {count.at, count.at, ten.at}, when(all));
  f.step(add, {count.at, count.at, hundred.at}, when(any));
  f.step(mul, {count.at, count.at, zero.at}, when(all_few));
  f.step(address4, {at.at, out.at, tid.at});
  f.step(store32<Space::Global>, {at.at, count.at});
  f.exit();
  HandDevice device;
  device.buffer(100);
  device.run(k, {}, {100});
  for (std::uint32_t i = 0; i < 100; ++i) CHECK(device.words(0)[i] == 117);
}

namespace {

// Warp 0 produces 50 values into one shared word, warp 1 consumes them: barrier 1 says "full", barrier 2
// "empty".
kernel::Kernel producer_consumer() {
  auto k = hand_kernel("pipe", 1, 8);
  FunctionWriter f(k, 0);
  const P producer = f.pred(), more = f.pred();
  const R warp = f.special(SpecialRegister::warpid), zero = f.constant(0), one = f.constant(1),
          two = f.constant(2), both = f.constant(64);
  const R i = f.reg(), value = f.reg(), sum = f.reg(), rounds = f.constant(50),
          tid = f.special(SpecialRegister::tid_x);
  const D shared = f.wide_constant(memory::shared_reserved), out = f.parameter(0), at = f.wide();
  f.block();
  f.step(move, {i.at, i.at, zero.at});
  f.step(move, {sum.at, sum.at, zero.at});
  f.step(equal, {producer.at, warp.at, zero.at});
  f.end(End::Branch, 1, 2, when(producer));
  f.block();  // produce
  f.step(mul, {value.at, i.at, i.at});
  f.step(store32<Space::Shared>, {shared.at, value.at});
  f.step(bar_arrive, {one.at, both.at}, {}, flag::barrier);
  f.step(bar_sync, {two.at, both.at}, {}, flag::barrier);
  f.step(add, {i.at, i.at, one.at});
  f.step(less, {more.at, i.at, rounds.at});
  f.end(End::Branch, 1, 3, when(more));
  f.block();  // consume
  f.step(bar_sync, {one.at, both.at}, {}, flag::barrier);
  f.step(load32<Space::Shared>, {value.at, shared.at});
  f.step(add, {sum.at, sum.at, value.at});
  f.step(bar_arrive, {two.at, both.at}, {}, flag::barrier);
  f.step(add, {i.at, i.at, one.at});
  f.step(less, {more.at, i.at, rounds.at});
  f.end(End::Branch, 2, 3, when(more));
  f.block();
  f.step(address4, {at.at, out.at, tid.at});
  f.step(store32<Space::Global>, {at.at, sum.at});
  f.exit();
  return k;
}

}  // namespace

TEST_CASE("a producer and a consumer warp, two barriers between them") {
  HandDevice device;
  device.buffer(64);
  device.run(producer_consumer(), {}, {64}, {}, 16);
  std::uint32_t sum = 0;
  for (std::uint32_t i = 0; i < 50; ++i) sum += i * i;
  for (std::uint32_t i = 0; i < 64; ++i) CHECK(device.words(0)[i] == (i < 32 ? 0 : sum));
}

TEST_CASE("misuse: no such barrier, odd thread counts, counts that differ, too few threads") {
  auto single = [](std::uint32_t name, std::uint32_t threads, std::uint32_t second_threads) {
    auto k = hand_kernel("misuse", 1, 0);
    FunctionWriter f(k, 0);
    const P first = f.pred();
    const R warp = f.special(SpecialRegister::warpid), one = f.constant(1), n = f.constant(name),
            t = f.constant(threads), u = f.constant(second_threads);
    f.block();
    f.step(less, {first.at, warp.at, one.at});
    f.step(bar_sync, {n.at, t.at}, when(first), flag::barrier);
    f.step(bar_sync, {n.at, u.at}, unless(first), flag::barrier);
    f.exit();
    HandDevice device;
    device.run(k, {}, {64});
  };
  CHECK_NOTHROW(single(15, 64, 64));
  CHECK_THROWS_WITH_AS(single(16, 64, 64), doctest::Contains("barrier 16: a CTA has 16"), exec::Fault);
  CHECK_THROWS_WITH_AS(single(0, 33, 33), doctest::Contains("of 33 threads: no multiple of 32"), exec::Fault);
  CHECK_THROWS_WITH_AS(single(0, 64, 96),
                       doctest::Contains("barrier 0 of 96 threads, but others wait for it with 64"),
                       exec::Fault);
  CHECK_THROWS_WITH_AS(single(3, 96, 96), doctest::Contains("waits for barrier 3 of 96 threads"),
                       exec::Fault);
}
