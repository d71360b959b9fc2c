// Lanes of one warp that wait for each other: through memory, and at forms that name a membermask.
#include <doctest/doctest.h>

#include "tests/emulator/exec/hand_launch.h"

using namespace wedjat;
using namespace wedjat::test;
using kernel::End;
using kernel::Space;
using kernel::SpecialRegister;
namespace flag = kernel::step_flag;

TEST_CASE("a spin lock between the lanes of a warp") {
  // while (atomicCAS(lock, 0, 1) != 0); ++counter; atomicExch(lock, 0);   -- the naive loop, legal since
  // sm_70
  auto k = hand_kernel("spin_lock", 1, 8);
  FunctionWriter f(k, 0);
  const P busy = f.pred();
  const R zero = f.constant(0), one = f.constant(1), old = f.reg(), count = f.reg();
  const D lock = f.parameter(0), counter = f.wide();
  f.block();
  f.step(address4, {counter.at, lock.at, one.at});
  f.fall(1);
  f.block();
  f.step(compare_swap<Space::Global>, {old.at, lock.at, zero.at, one.at}, {},
         flag::communicates | flag::ordered);
  f.step(equal, {busy.at, old.at, zero.at});
  f.end(End::Branch, 1, 2, unless(busy));
  f.block();
  f.step(load32<Space::Global>, {count.at, counter.at}, {}, flag::communicates | flag::ordered);
  f.step(add, {count.at, count.at, one.at});
  f.step(store32<Space::Global>, {counter.at, count.at}, {}, flag::communicates | flag::ordered);
  f.step(atomic_exchange<Space::Global>, {old.at, lock.at, zero.at}, {}, flag::communicates | flag::ordered);
  f.exit();

  for (unsigned threads : {1u, 2u}) {
    HandDevice device;
    device.buffer(2);
    device.run(k, {3}, {64}, {.threads = threads});
    CHECK(device.words(0)[0] == 0);
    CHECK(device.words(0)[1] == 3 * 64);
  }
}

namespace {

// Lanes below `split` branch away from the others; both come to a step that names all lanes, which stores
// who executes it together.
struct Meeting {
  kernel::Kernel k = hand_kernel("meeting", 1, 8);
  explicit Meeting(bool same_place) {
    FunctionWriter f(k, 0);
    const P low = f.pred();
    const R tid = f.special(SpecialRegister::tid_x), ten = f.constant(10), members = f.constant(0xffffffff),
            together = f.reg();
    const D out = f.parameter(0), at = f.wide();
    auto meet = [&] { f.step(active_mask, {together.at, members.at}, {}, flag::rendezvous | 1u << 8); };
    f.block();
    f.step(address4, {at.at, out.at, tid.at});
    f.step(less, {low.at, tid.at, ten.at});
    f.end(End::Branch, 2, 1, when(low));
    f.block();
    if (!same_place) meet();
    f.fall(same_place ? 3 : 4);
    f.block();
    if (!same_place) meet();
    f.fall(same_place ? 3 : 4);
    f.block();
    if (same_place) meet();
    f.fall(4);
    f.block();
    f.step(store32<Space::Global>, {at.at, together.at});
    f.exit();
  }
};

}  // namespace

TEST_CASE("lanes that diverged wait for each other at a form that names them all") {
  HandDevice device;
  device.buffer(32);
  SUBCASE("at one place: they execute it together") {
    device.run(Meeting(true).k, {}, {32});
    for (std::uint32_t i = 0; i < 32; ++i) CHECK(device.words(0)[i] == 0xffffffffu);
  }
  SUBCASE("at two places: each waits until all have come to one") {
    device.run(Meeting(false).k, {}, {32});
    for (std::uint32_t i = 0; i < 32; ++i) CHECK(device.words(0)[i] == (i < 10 ? 0x3ffu : 0xfffffc00u));
  }
  SUBCASE("lanes that do not exist are not waited for") {
    device.run(Meeting(true).k, {}, {20});
    for (std::uint32_t i = 0; i < 20; ++i) CHECK(device.words(0)[i] == 0xfffffu);
  }
}

TEST_CASE("lanes that exit release those that wait for them") {
  auto k = hand_kernel("leavers", 1, 8);
  FunctionWriter f(k, 0);
  const P low = f.pred();
  const R tid = f.special(SpecialRegister::tid_x), ten = f.constant(10), members = f.constant(0xffffffff),
          together = f.reg();
  const D out = f.parameter(0), at = f.wide();
  f.block();
  f.step(address4, {at.at, out.at, tid.at});
  f.step(less, {low.at, tid.at, ten.at});
  f.end(End::Branch, 1, 2, when(low));
  f.block();
  f.step(active_mask, {together.at, members.at}, {}, flag::rendezvous | 1u << 8);
  f.step(store32<Space::Global>, {at.at, together.at});
  f.exit();
  f.block();
  f.exit();
  HandDevice device;
  device.buffer(32);
  device.run(k, {}, {32});
  for (std::uint32_t i = 0; i < 32; ++i) CHECK(device.words(0)[i] == (i < 10 ? 0x3ffu : 0u));
}

TEST_CASE("tiles of a warp: groups with masks of their own do not wait for each other") {
  auto k = hand_kernel("tiles", 1, 8);
  FunctionWriter f(k, 0);
  const R tid = f.special(SpecialRegister::tid_x), together = f.reg(), members = f.reg();
  const P low = f.pred();
  const R sixteen = f.constant(16), lower = f.constant(0xffff), upper = f.constant(0xffff0000);
  const D out = f.parameter(0), at = f.wide();
  f.block();
  f.step(address4, {at.at, out.at, tid.at});
  f.step(less, {low.at, tid.at, sixteen.at});
  f.step(move, {members.at, members.at, upper.at});
  f.step(move, {members.at, members.at, lower.at}, when(low));
  f.step(active_mask, {together.at, members.at}, {}, flag::rendezvous | 1u << 8);
  f.step(store32<Space::Global>, {at.at, together.at});
  f.exit();
  HandDevice device;
  device.buffer(32);
  device.run(k, {}, {32});
  for (std::uint32_t i = 0; i < 32; ++i) CHECK(device.words(0)[i] == (i < 16 ? 0xffffu : 0xffff0000u));

  SUBCASE("a mask that does not name the lane is an error") {
    for (auto& fill : k.functions[0].fills)
      if (fill.value == 0xffff) fill.value = 0xfffe;
    CHECK_THROWS_WITH_AS(device.run(k, {}, {32}), doctest::Contains("does not name the lane"), exec::Fault);
  }
}

TEST_CASE("lanes that wait for lanes which never come: a deadlock, with every place") {
  auto k = hand_kernel("stuck", 1, 8);
  FunctionWriter f(k, 0);
  const P low = f.pred();
  const R tid = f.special(SpecialRegister::tid_x), ten = f.constant(10), members = f.constant(0xffffffff);
  const R together = f.reg(), name = f.constant(1), threads = f.constant(32);
  f.block();
  f.step(less, {low.at, tid.at, ten.at});
  f.end(End::Branch, 1, 2, when(low));
  f.block();
  f.step(active_mask, {together.at, members.at}, {}, flag::rendezvous | 1u << 8, "shfl.sync");
  f.fall(3);
  f.block();
  f.step(bar_sync, {name.at, threads.at}, {}, flag::barrier, "barrier.sync 1");
  f.fall(3);
  f.block();
  f.exit();
  HandDevice device;
  device.buffer(32);
  std::string text;
  try {
    device.run(k, {}, {32});
  } catch (const exec::Fault& fault) {
    CHECK(fault.kind() == exec::FaultKind::deadlock);
    text = fault.what();
  }
  CHECK(text.find("lanes 0x000003ff at hand.ptx:3 'shfl.sync'") != std::string::npos);
  CHECK(text.find("waits for lanes 0xfffffc00") != std::string::npos);
  CHECK(text.find("lanes 0xfffffc00 at hand.ptx:5 'barrier.sync 1'") != std::string::npos);
  CHECK(text.find("waits for barrier 1 of 32 threads") != std::string::npos);
}
