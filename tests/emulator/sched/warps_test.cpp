// Warps of one CTA that wait for each other through shared memory.
#include <doctest/doctest.h>

#include "tests/emulator/exec/hand_launch.h"

using namespace wedjat;
using namespace wedjat::test;
using kernel::End;
using kernel::Space;
using kernel::SpecialRegister;
namespace flag = kernel::step_flag;

namespace {

// Warp 0 waits until shared[0] is 5 and stores shared[1]; warp 1 writes shared[1], then shared[0]. The wait
// is a spin, with a sleep or without.
kernel::Kernel flag_between_warps(bool communicates, bool sleeps) {
  auto k = hand_kernel("flag", 1, 8);
  FunctionWriter f(k, 0);
  const P consumer = f.pred(), set = f.pred();
  const R warp = f.special(SpecialRegister::warpid), zero = f.constant(0), five = f.constant(5),
          one = f.constant(1);
  const R seen = f.reg(), value = f.reg(), answer = f.constant(4711), tid = f.special(SpecialRegister::tid_x),
          nap = f.constant(100);
  const D ready = f.wide_constant(memory::shared_reserved),
          data = f.wide_constant(memory::shared_reserved + 4), out = f.parameter(0), at = f.wide();
  const unsigned access = communicates ? flag::communicates : 0u;
  f.block();
  f.step(equal, {consumer.at, warp.at, zero.at});
  f.end(End::Branch, 2, 1, when(consumer));
  f.block();
  f.step(store32<Space::Shared>, {data.at, answer.at}, {}, access);
  f.step(store32<Space::Shared>, {ready.at, five.at}, {}, access);
  f.exit();
  f.block();
  if (sleeps) f.system(kernel::SystemOp::Nanosleep, {nap.at});
  f.step(load32<Space::Shared>, {seen.at, ready.at}, {}, access);
  f.step(equal, {set.at, seen.at, five.at});
  f.end(End::Branch, 2, 3, unless(set));
  f.block();
  f.step(load32<Space::Shared>, {value.at, data.at}, {}, access);
  f.step(add, {value.at, value.at, one.at});
  f.step(address4, {at.at, out.at, tid.at});
  f.step(store32<Space::Global>, {at.at, value.at});
  f.exit();
  return k;
}

}  // namespace

TEST_CASE("a warp that spins on what another warp writes") {
  for (bool communicates : {false, true})
    for (bool sleeps : {false, true}) {
      HandDevice device;
      device.buffer(32);
      device.run(flag_between_warps(communicates, sleeps), {}, {64}, {}, 64);
      for (std::uint32_t i = 0; i < 32; ++i) CHECK(device.words(0)[i] == 4712);
    }
}

TEST_CASE("CTAs that spin without any ordered step still make progress on one thread") {
  // CTA 0 waits, with weak loads, for what the last CTA stores.
  auto k = hand_kernel("weak_spin", 1, 8);
  FunctionWriter f(k, 0);
  const P waits = f.pred(), unset = f.pred();
  const R cta = f.special(SpecialRegister::ctaid_x), zero = f.constant(0), one = f.constant(1),
          last = f.constant(9), seen = f.reg();
  const D flag_at = f.parameter(0), second = f.wide();
  f.block();
  f.step(address4, {second.at, flag_at.at, one.at});
  f.step(equal, {waits.at, cta.at, zero.at});
  f.end(End::Branch, 1, 2, when(waits));
  f.block();
  f.step(load32<Space::Global>, {seen.at, flag_at.at});
  f.step(equal, {unset.at, seen.at, zero.at});
  f.end(End::Branch, 1, 3, when(unset));
  f.block();
  f.step(equal, {waits.at, cta.at, last.at});
  f.step(store32<Space::Global>, {flag_at.at, one.at}, when(waits));
  f.exit();
  f.block();
  f.step(store32<Space::Global>, {second.at, one.at});
  f.exit();
  HandDevice device;
  device.buffer(2);
  device.run(k, {10}, {32}, {.threads = 1});
  CHECK(device.words(0)[1] == 1);
}
