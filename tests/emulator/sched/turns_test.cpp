// The order of turns, and that results do not depend on the number of host threads.
#include "emulator/sched/turns.h"

#include <doctest/doctest.h>

#include <map>

#include "tests/emulator/exec/hand_launch.h"

using namespace wedjat;
using namespace wedjat::test;
using kernel::End;
using kernel::Space;
using kernel::SpecialRegister;
using sched::Turns;
namespace flag = kernel::step_flag;

TEST_CASE("turns go by index, round the unfinished, and never beyond the window") {
  Turns turns(5, 2);
  CHECK(turns.current() == 0);
  turns.pass(false);
  CHECK(turns.current() == 1);
  turns.pass(false);
  CHECK(turns.current() == 0);  // two are in the round: no new one
  turns.pass(true);
  CHECK(turns.current() == 1);
  turns.pass(false);
  CHECK(turns.current() == 2);
  turns.pass(true);
  CHECK(turns.current() == 3);
  turns.pass(true);
  CHECK(turns.current() == 4);
  turns.pass(false);
  CHECK(turns.current() == 1);
  turns.pass(true);
  CHECK(turns.current() == 4);
  turns.pass(true);
  CHECK(turns.current() == Turns::nobody);
}

namespace {

constexpr unsigned shared_order = flag::ordered | flag::communicates;

// Every thread adds a number of its own to one float (whose sum depends on the order), and keeps what it saw
// and its ticket.
kernel::Kernel float_sum() {
  auto k = hand_kernel("float_sum", 1, 16);
  FunctionWriter f(k, 0);
  const R tid = f.special(SpecialRegister::tid_x), cta = f.special(SpecialRegister::ctaid_x),
          threads = f.special(SpecialRegister::ntid_x);
  const R id = f.reg(), bits = f.reg(), old = f.reg(), one = f.constant(1), ticket = f.reg(),
          two = f.constant(2), slot = f.reg();
  const R scale = f.constant(0x3f800001);  // as u32: patterns of floats near 1
  const D sum = f.parameter(0), out = f.parameter(8), counter = f.wide(), at = f.wide();
  f.block();
  f.step(mul, {id.at, cta.at, threads.at});
  f.step(add, {id.at, id.at, tid.at});
  f.step(mul, {bits.at, id.at, id.at});
  f.step(add, {bits.at, bits.at, scale.at});
  f.step(atomic_add_float<Space::Global>, {old.at, sum.at, bits.at}, {}, shared_order);
  f.step(address4, {counter.at, sum.at, one.at});
  f.step(atomic_add<Space::Global>, {ticket.at, counter.at, one.at}, {}, shared_order);
  f.step(mul, {slot.at, id.at, two.at});
  f.step(address4, {at.at, out.at, slot.at});
  f.step(store32<Space::Global>, {at.at, old.at});
  f.step(address4, {at.at, at.at, one.at});
  f.step(store32<Space::Global>, {at.at, ticket.at});
  f.exit();
  return k;
}

}  // namespace

TEST_CASE("float atomics and tickets: the same bits with 1, 2, 4 and 7 threads") {
  constexpr std::uint32_t ctas = 300, threads = 96;
  std::vector<std::uint32_t> first;
  for (unsigned host : {1u, 2u, 4u, 7u, 1u}) {
    HandDevice device;
    device.buffer(2);
    device.buffer(2 * ctas * threads);
    const auto statistics = device.run(float_sum(), {ctas}, {threads}, {.threads = host});
    CHECK(statistics.ctas == ctas);
    CHECK(statistics.warp_instructions == ctas * 3 * 13);
    std::vector<std::uint32_t> all(device.words(1), device.words(1) + 2 * ctas * threads);
    all.push_back(device.words(0)[0]);
    all.push_back(device.words(0)[1]);
    CHECK(all.back() == ctas * threads);
    if (first.empty()) first = all;
    CHECK(all == first);
  }
}

namespace {

// A grid barrier: every CTA adds 1 to a counter, then spins until all have. `rounds` of them. Each CTA notes
// its spins at the end.
kernel::Kernel grid_barrier(std::uint32_t ctas, std::uint32_t rounds) {
  auto k = hand_kernel("grid_barrier", 1, 16);
  FunctionWriter f(k, 0);
  const P waiting = f.pred(), more = f.pred();
  const R cta = f.special(SpecialRegister::ctaid_x), zero = f.constant(0), one = f.constant(1),
          all = f.constant(ctas), last = f.constant(rounds);
  const R goal = f.reg(), seen = f.reg(), spins = f.reg(), round = f.reg(), old = f.reg();
  const D counter = f.parameter(0), out = f.parameter(8), at = f.wide();
  f.block();
  f.step(move, {goal.at, goal.at, zero.at});
  f.step(move, {spins.at, spins.at, zero.at});
  f.step(move, {round.at, round.at, zero.at});
  f.fall(1);
  f.block();
  f.step(add, {goal.at, goal.at, all.at});
  f.step(atomic_add<Space::Global>, {old.at, counter.at, one.at}, {}, shared_order);
  f.fall(2);
  f.block();
  f.step(load32<Space::Global>, {seen.at, counter.at}, {}, shared_order);
  f.step(add, {spins.at, spins.at, one.at});
  f.step(less, {waiting.at, seen.at, goal.at});
  f.end(End::Branch, 2, 3, when(waiting));
  f.block();
  f.step(add, {round.at, round.at, one.at});
  f.step(less, {more.at, round.at, last.at});
  f.end(End::Branch, 1, 4, when(more));
  f.block();
  f.step(address4, {at.at, out.at, cta.at});
  f.step(store32<Space::Global>, {at.at, spins.at});
  f.exit();
  return k;
}

}  // namespace

TEST_CASE("CTAs that spin on each other make progress, by the same course on any number of threads") {
  constexpr std::uint32_t ctas = 40, rounds = 3;
  std::vector<std::uint32_t> first;
  for (unsigned host : {1u, 2u, 4u}) {
    HandDevice device;
    device.buffer(1);
    device.buffer(ctas);
    device.run(grid_barrier(ctas, rounds), {ctas}, {1}, {.threads = host});
    CHECK(device.words(0)[0] == ctas * rounds);
    const std::vector<std::uint32_t> spins(device.words(1), device.words(1) + ctas);
    if (first.empty()) first = spins;
    CHECK(spins == first);
  }
}

TEST_CASE(
    "a lane that spins on another of its warp lets it run after as many spins on any number of threads") {
  auto k = hand_kernel("spin", 1, 16);
  FunctionWriter f(k, 0);
  const P first = f.pred(), more = f.pred();
  const R tid = f.special(SpecialRegister::tid_x), cta = f.special(SpecialRegister::ctaid_x),
          zero = f.constant(0), one = f.constant(1), many = f.constant(5000), steps = f.reg(),
          spins = f.reg(), seen = f.reg();
  const D flags = f.parameter(0), out = f.parameter(8), flag = f.wide(), at = f.wide();
  f.block();
  f.step(move, {steps.at, steps.at, zero.at});
  f.step(move, {spins.at, spins.at, zero.at});
  f.step(address4, {flag.at, flags.at, cta.at});
  f.step(less, {first.at, tid.at, one.at});
  f.end(End::Branch, 1, 3, when(first));
  f.block();  // the first lane works for a while before its first ordered step, where it may have to wait for
              // the turn
  f.step(add, {steps.at, steps.at, one.at});
  f.step(less, {more.at, steps.at, many.at});
  f.end(End::Branch, 1, 2, when(more));
  f.block();
  f.step(load32<Space::Global>, {seen.at, flag.at}, {}, shared_order);
  f.step(add, {spins.at, spins.at, one.at});
  f.step(less, {more.at, seen.at, one.at});
  f.end(End::Branch, 2, 4, when(more));
  f.block();  // the other
  f.step(store32<Space::Global>, {flag.at, one.at}, {}, shared_order);
  f.exit();
  f.block();
  f.step(address4, {at.at, out.at, cta.at});
  f.step(store32<Space::Global>, {at.at, spins.at});
  f.exit();
  constexpr std::uint32_t ctas = 40;
  for (unsigned host : {1u, 2u, 4u, 7u}) {
    HandDevice device;
    device.buffer(ctas);
    device.buffer(ctas);
    device.run(k, {ctas}, {2}, {.threads = host});
    for (std::uint32_t i = 0; i < ctas; ++i) CHECK(device.words(1)[i] == device.words(1)[0]);
    CHECK(device.words(1)[0] > 1);
  }
}

TEST_CASE("commutative updates without a result need no order: host atomics on many threads") {
  auto k = hand_kernel("histogram", 1, 8);
  FunctionWriter f(k, 0);
  const R tid = f.special(SpecialRegister::tid_x), fifteen = f.constant(15), bin = f.reg(),
          one = f.constant(1), unused = f.reg();
  const D bins = f.parameter(0), at = f.wide();
  f.block();
  f.step(bit_and, {bin.at, tid.at, fifteen.at});
  f.step(address4, {at.at, bins.at, bin.at});
  f.step(atomic_add<Space::Global>, {unused.at, at.at, one.at}, {}, flag::communicates);
  f.exit();
  for (unsigned host : {1u, 4u}) {
    HandDevice device;
    device.buffer(16);
    device.run(k, {2000}, {128}, {.threads = host});
    for (std::uint32_t i = 0; i < 16; ++i) CHECK(device.words(0)[i] == 2000 * 128 / 16);
  }
}

TEST_CASE("a fault in a kernel with turns: that of the first CTA by turn") {
  auto k = float_sum();
  std::string first;
  for (unsigned host : {1u, 2u, 4u}) {
    HandDevice device;
    device.buffer(2);
    device.buffer(2 * 96 * 5 + 10, "short");  // CTA 5 passes the end, and so do all after it
    std::string text;
    try {
      device.run(k, {300}, {96}, {.threads = host});
    } catch (const exec::Fault& fault) {
      text = fault.what();
    }
    CHECK(text.find("CTA (5,0,0) thread (5,0,0)") != std::string::npos);
    if (first.empty()) first = text;
    CHECK(text == first);
  }
}

TEST_CASE("a kernel that does not end is reported at the step limit") {
  auto k = hand_kernel("endless", 1, 0);
  FunctionWriter f(k, 0);
  const R x = f.constant(1), y = f.reg();
  f.block();
  f.step(add, {y.at, x.at, x.at}, {}, 0, "add.s32");
  f.end(End::Branch, 0);
  HandDevice device;
  CHECK_THROWS_WITH_AS(device.run(k, {4}, {64}, {.threads = 2, .step_limit = 100000}),
                       doctest::Contains("step limit reached: the CTA ran more than 100000 steps"),
                       exec::Fault);
}

TEST_CASE("grids and blocks no device takes are refused") {
  auto k = hand_kernel("shape", 1, 0);
  FunctionWriter f(k, 0);
  f.block();
  f.exit();
  HandDevice device;
  CHECK_NOTHROW(device.run(k, {}, {1024}));
  CHECK_THROWS_AS(device.run(k, {}, {1025}), std::invalid_argument);
  CHECK_THROWS_AS(device.run(k, {}, {64, 32}), std::invalid_argument);
  CHECK_THROWS_AS(device.run(k, {0}, {32}), std::invalid_argument);
  CHECK_THROWS_AS(device.run(k, {1, 65536}, {32}), std::invalid_argument);
}
