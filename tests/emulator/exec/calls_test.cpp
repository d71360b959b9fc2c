// Calls: nested, recursive to a depth of each lane's own, through pointers, with arguments in rows and in
// local memory.
#include <doctest/doctest.h>

#include "tests/emulator/exec/hand_launch.h"

using namespace wedjat;
using namespace wedjat::test;
using kernel::End;
using kernel::Place;
using kernel::Space;
using kernel::SpecialRegister;

namespace {

Place in_row(R r) { return {Place::Kind::Row, r.at, 4}; }
Place in_local(std::uint32_t offset) { return {Place::Kind::Local, offset, 4}; }

// function 1: fibonacci(n) = n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); argument and result in local
// memory, as compilers pass them.
void write_fibonacci(kernel::Kernel& k) {
  FunctionWriter f(k, 1);
  f.function().local_bytes = 32;  // 0: n, 4: result, 16: argument of the calls, 20: their result
  f.function().parameters = {in_local(0)};
  f.function().results = {in_local(4)};
  const P small = f.pred();
  const R n = f.reg(), first = f.reg(), second = f.reg(), m = f.reg();
  const R one = f.constant(1), two = f.constant(2);
  const D at_n = f.local_address(0), at_result = f.local_address(4), at_argument = f.local_address(16),
          at_returned = f.local_address(20);
  f.block();
  f.step(load32<Space::Local>, {n.at, at_n.at});
  f.step(less, {small.at, n.at, two.at});
  f.end(End::Branch, 3, 1, when(small));
  f.block();
  f.step(sub, {m.at, n.at, one.at});
  f.step(store32<Space::Local>, {at_argument.at, m.at});
  auto& call1 = f.end(End::Call, 1, 2);
  call1.arguments = {in_local(16)};
  call1.results = {in_local(20)};
  f.block();
  f.step(load32<Space::Local>, {first.at, at_returned.at});
  f.step(sub, {m.at, n.at, two.at});
  f.step(store32<Space::Local>, {at_argument.at, m.at});
  auto& call2 = f.end(End::Call, 1, 4);
  call2.arguments = {in_local(16)};
  call2.results = {in_local(20)};
  f.block();
  f.step(store32<Space::Local>, {at_result.at, n.at});
  f.end(End::Return);
  f.block();
  f.step(load32<Space::Local>, {second.at, at_returned.at});
  f.step(add, {first.at, first.at, second.at});
  f.step(store32<Space::Local>, {at_result.at, first.at});
  f.end(End::Return);
}

// The entry calls `function` with the thread's number in a row and stores what comes back.
void write_caller(kernel::Kernel& k, std::uint32_t function) {
  FunctionWriter f(k, 0);
  const R tid = f.special(SpecialRegister::tid_x), result = f.reg();
  const D out = f.parameter(0), at = f.wide();
  f.block();
  auto& call = f.end(End::Call, function, 1);
  call.arguments = {in_row(tid)};
  call.results = {in_row(result)};
  f.block();
  f.step(address4, {at.at, out.at, tid.at});
  f.step(store32<Space::Global>, {at.at, result.at});
  f.exit();
}

}  // namespace

TEST_CASE("each lane recurses to its own depth") {
  auto k = hand_kernel("recursion", 2, 8);
  write_caller(k, 1);
  write_fibonacci(k);
  HandDevice device;
  device.buffer(32);
  device.run(k, {}, {20});
  std::uint32_t a = 0, b = 1;
  for (std::uint32_t i = 0; i < 20; ++i) {
    CHECK(device.words(0)[i] == a);
    b += a;
    a = b - a;
  }

  SUBCASE("a recursion that does not end overflows the stack") {
    for (auto& s : k.functions[1].steps)
      if (s.full == less.full)
        s.full = s.masked = [](WarpContext& w, const Step& step, std::uint32_t) {
          *row<std::uint32_t>(w, step, 0) = 0;
        };
    CHECK_THROWS_WITH_AS(device.run(k, {}, {20}), doctest::Contains("stack overflow"), exec::Fault);
  }
}

TEST_CASE("a function calls a function, and a function with an early return joins its caller") {
  auto k = hand_kernel("nested", 3, 8);
  write_caller(k, 1);
  {  // outer(n) = inner(n) + 1
    FunctionWriter f(k, 1);
    const R n = f.reg(), result = f.reg(), one = f.constant(1);
    f.function().parameters = {in_row(n)};
    f.function().results = {in_row(result)};
    f.block();
    auto& call = f.end(End::Call, 2, 1);
    call.arguments = {in_row(n)};
    call.results = {in_row(result)};
    f.block();
    f.step(add, {result.at, result.at, one.at});
    f.end(End::Return);
  }
  {  // inner(n) = n < 5 ? 100 : lanes that are in it together
    FunctionWriter f(k, 2);
    const P small = f.pred();
    const R n = f.reg(), result = f.reg(), five = f.constant(5), hundred = f.constant(100);
    f.function().parameters = {in_row(n)};
    f.function().results = {in_row(result)};
    f.block();
    f.step(less, {small.at, n.at, five.at});
    f.step(move, {result.at, result.at, hundred.at});
    f.end(End::Return, 0, 1, when(small));
    f.block();
    f.step(active_mask, {result.at});
    f.end(End::Return);
  }
  HandDevice device;
  device.buffer(32);
  device.run(k, {}, {32});
  for (std::uint32_t i = 0; i < 32; ++i) CHECK(device.words(0)[i] == (i < 5 ? 101u : 0xffffffe0u + 1));
}

TEST_CASE("calls through pointers: every lane its own function") {
  auto k = hand_kernel("indirect", 3, 8);
  for (std::uint32_t i = 1; i <= 2; ++i) {
    FunctionWriter f(k, i);
    f.function().address = 0xa0000000000 + 16 * i;
    const R n = f.reg(), result = f.reg(), times = f.constant(i == 1 ? 10 : 1000);
    f.function().parameters = {in_row(n)};
    f.function().results = {in_row(result)};
    f.block();
    f.step(mul, {result.at, n.at, times.at});
    f.end(End::Return);
  }
  FunctionWriter f(k, 0);
  const R tid = f.special(SpecialRegister::tid_x), result = f.reg(), one = f.constant(1),
          four = f.constant(4), index = f.reg();
  const D out = f.parameter(0), at = f.wide(), base = f.wide_constant(0xa0000000010), target = f.wide();
  f.block();
  f.step(bit_and, {index.at, tid.at, one.at});
  f.step(mul, {index.at, index.at, four.at});
  f.step(address4, {target.at, base.at, index.at});
  auto& call = f.end(End::Call, kernel::Terminator::indirect, 1);
  call.row = target.at;
  call.arguments = {in_row(tid)};
  call.results = {in_row(result)};
  f.block();
  f.step(address4, {at.at, out.at, tid.at});
  f.step(store32<Space::Global>, {at.at, result.at});
  f.exit();

  HandDevice device;
  device.buffer(32);
  device.run(k, {}, {32});
  for (std::uint32_t i = 0; i < 32; ++i) CHECK(device.words(0)[i] == i * (i % 2 ? 1000 : 10));

  SUBCASE("a pointer to no function") {
    k.functions[2].address = 0;
    CHECK_THROWS_WITH_AS(device.run(k, {}, {32}),
                         doctest::Contains("no function has the address 0xa0000000020"), exec::Fault);
  }
  SUBCASE("a function that cannot run") {
    k.functions[2].refused = "lib.ptx:9: 'frobnicate' has no semantics";
    CHECK_THROWS_WITH_AS(device.run(k, {}, {32}),
                         doctest::Contains("lib.ptx:9: 'frobnicate' has no semantics"), exec::Fault);
  }
}
