// The intervals of exact integers.
#include "semcc/check/expressions/build.h"

#include <doctest/doctest.h>

#include <optional>
#include <random>

#include "semcc/check/types/types.h"
#include "semcc/ir/arithmetic.h"

namespace build = semcc::check::build;
using semcc::ir::Interval;
using semcc::ir::Op;

namespace {

semcc::ir::ExprPtr operand(long low, long high) {
  semcc::ir::Expr e{};
  e.op = Op::Local;
  e.type = semcc::check::exact_type();
  e.range = {low, high};
  return std::make_shared<const semcc::ir::Expr>(std::move(e));
}

std::string shown(const Interval& r) { return r.low.get_str() + ".." + r.high.get_str(); }

std::string range(Op op, long a_low, long a_high, long b_low, long b_high) {
  return shown(build::integer(op, operand(a_low, a_high), operand(b_low, b_high), {})->range);
}

}  // namespace

TEST_CASE("ranges of sums, products and shifts are exact") {
  CHECK(range(Op::Add, 1, 5, -2, 7) == "-1..12");
  CHECK(range(Op::Sub, 1, 5, -2, 7) == "-6..7");
  CHECK(range(Op::Mul, -3, 2, -5, 4) == "-12..15");
  CHECK(range(Op::Shl, -1, 3, 0, 4) == "-16..48");
  CHECK(range(Op::Shr, -9, 40, 1, 3) == "-5..20");
  CHECK(range(Op::Min, 0, 9, 5, 7) == "0..7");
  CHECK(range(Op::Max, 0, 9, 5, 7) == "5..9");
  CHECK(range(Op::Rem, 0, 255, 1, 10) == "0..9");
  CHECK(range(Op::Div, 0, 255, 0, 3) == "0..255");
}

TEST_CASE("a bit pattern is as wide as its sides") {
  CHECK(range(Op::And, 0, 200, 0, 15) == "0..15");
  CHECK(range(Op::And, -100, 100, 0, 15) == "0..15");
  CHECK(range(Op::Or, 0, 200, 0, 15) == "0..255");
  CHECK(range(Op::Xor, -1, 0, 0, 127) == "-128..127");
}

TEST_CASE("no value leaves the interval of its operation") {
  std::mt19937 random(7);
  const auto pick = [&](long low, long high) {
    return std::uniform_int_distribution<long>(low, high)(random);
  };
  const Op ops[] = {Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Rem, Op::And,
                    Op::Or,  Op::Xor, Op::Min, Op::Max, Op::Shl, Op::Shr};
  for (int round = 0; round < 20000; ++round) {
    const Op op = ops[pick(0, 11)];
    const bool shift = op == Op::Shl || op == Op::Shr;
    const long a0 = pick(-300, 300), a1 = pick(a0, 301), b0 = shift ? pick(0, 20) : pick(-300, 300),
               b1 = pick(b0, shift ? 21 : 301);
    const Interval r = build::integer(op, operand(a0, a1), operand(b0, b1), {})->range;
    for (int i = 0; i < 8; ++i) {
      const mpz_class value = semcc::ir::compute(op, pick(a0, a1), pick(b0, b1));
      CHECK(r.low <= value);
      CHECK(value <= r.high);
    }
  }
}

TEST_CASE("wrap, clamp and slices") {
  const auto u8 = *semcc::check::type_named("u8"), s8 = *semcc::check::type_named("s8");
  CHECK(shown(build::wrap(u8, operand(3, 300), {})->range) == "0..255");
  CHECK(shown(build::wrap(u8, operand(3, 30), {})->range) == "3..30");
  CHECK(shown(build::clamp(s8, operand(-1000, 5), {})->range) == "-128..5");
  CHECK(shown(build::slice(operand(-5, 1000), 7, 4, {})->range) == "0..15");
  CHECK(shown(build::slice(operand(0, 20), 7, 4, {})->range) == "0..1");
  CHECK(semcc::ir::wrap_to(200, s8) == -56);
  CHECK(semcc::ir::slice_bits(-1, 3, 0) == 15);
  CHECK(semcc::ir::reverse_bits(1, 8) == 128);
}

TEST_CASE("constants fold, and so does what a comparison of intervals decides") {
  const auto two = build::constant(2, {}), three = build::constant(3, {});
  CHECK(build::integer(Op::Mul, two, three, {})->constant == 6);
  CHECK(build::compare("<", operand(0, 5), operand(6, 9), {})->op == Op::Constant);
  CHECK(build::compare("<", operand(0, 6), operand(6, 9), {})->op == Op::Less);
  const auto x = operand(0, 9);
  CHECK(build::integer(Op::Add, x, build::constant(0, {}), {}) == x);
  CHECK(build::select(build::truth(false, {}), two, three, {}) == three);
}

TEST_CASE("128 bits and a sign are the limit") {
  const auto wide = [](unsigned bits) { return build::constant((mpz_class(1) << bits) - 1, {}); };
  CHECK_NOTHROW(build::integer(Op::Mul, wide(64), wide(64), {}));
  CHECK_THROWS_AS(build::integer(Op::Mul, wide(65), wide(64), {}), semcc::check::Refusal);
  CHECK_NOTHROW(build::integer(Op::Neg, wide(128), {}));
}
