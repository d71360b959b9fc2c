// The judge on bodies built by hand: exactness, unspecified bits, requirements, order of memory updates.
#include "semcc/eval/eval.h"

#include <doctest/doctest.h>

#include "semcc/eval/literal.h"
#include "tests/semcc/emit/executors/ir_builder.h"

namespace semcc::test {
namespace {

ExprPtr exact(ExprPtr x) { return operation(Op::Exact, {Kind::Real}, {std::move(x)}); }
ExprPtr round(ir::Type type, ExprPtr real, ir::Rounding rounding) {
  ir::Expr expr = *operation(Op::Round, type, {std::move(real)});
  expr.rounding = rounding;
  return node(expr);
}
ExprPtr unspecified(ir::Type type) { return operation(Op::Unspecified, type, {}, ir::range_of(type)); }

eval::Frame frame_of(const ir::Form& f, std::vector<mpz_class> values) {
  eval::Frame frame = eval::empty_frame(f);
  std::size_t next = 0;
  for (std::size_t i = 0; i < f.operands.size(); ++i)
    if (f.operands[i].in) frame.operands[i][0].fill({values.at(next++), 0});
  return frame;
}

eval::Word result(const ir::Form& f, std::vector<mpz_class> values) {
  return eval::evaluate(program({f}), f, frame_of(f, std::move(values))).after.operands[0][0][7];
}

ir::Form unary(ir::Type to, ir::Type from, ExprPtr value) {
  return form("op", {}, {out("d", to), in("a", from)}, {assign(0, std::move(value))});
}

}  // namespace

TEST_CASE("sums are exact before they are wrapped or clamped") {
  const auto sum = add(operand(1, s32), operand(2, s32));
  const auto binary = [&](ExprPtr value) {
    return form("op", {}, {out("d", s32), in("a", s32), in("b", s32)}, {assign(0, value)});
  };
  CHECK(result(binary(wrap(s32, sum)), {0x7fffffff, 1}).bits == mpz_class("80000000", 16));
  CHECK(result(binary(clamp(s32, sum)), {0x7fffffff, 1}).bits == 0x7fffffff);
  CHECK(result(binary(clamp(s32, sum)), {mpz_class("80000000", 16), mpz_class("ffffffff", 16)}).bits ==
        mpz_class("80000000", 16));
}

TEST_CASE("ties go to even, directed modes to their side") {
  const auto narrow = [](ir::Rounding mode) {
    return unary(f16, f32, round(f16, exact(operand(1, f32)), mode));
  };
  const mpz_class tie("3f801000", 16);  // 1 + 2^-11
  CHECK(result(narrow(ir::Rounding::rn), {tie}).bits == 0x3c00);
  CHECK(result(narrow(ir::Rounding::rp), {tie}).bits == 0x3c01);
  CHECK(result(narrow(ir::Rounding::rn), {tie + 1}).bits == 0x3c01);
  CHECK(result(narrow(ir::Rounding::rz), {mpz_class("477ff000", 16)}).bits == 0x7bff);
  CHECK(result(narrow(ir::Rounding::rn), {mpz_class("477ff000", 16)}).bits == 0x7c00);
}

TEST_CASE("a root is rounded as if it were exact") {
  const auto root =
      unary(f32, f32,
            round(f32, operation(Op::RealSqrt, {Kind::Real}, {exact(operand(1, f32))}), ir::Rounding::rm));
  CHECK(result(root, {mpz_class("40000000", 16)}).bits == mpz_class("3fb504f3", 16));  // 1.41421354…
  CHECK(result(root, {mpz_class("40800000", 16)}).bits == mpz_class("40000000", 16));
  CHECK(result(root, {mpz_class("80000000", 16)}).bits == mpz_class("80000000", 16));
  CHECK(result(root, {mpz_class("bf800000", 16)}).nan);
}

TEST_CASE("an exact zero sum is -0 only when rounding down") {
  const auto difference = [](ir::Rounding mode) {
    return unary(
        f32, f32,
        round(f32, operation(Op::RealSub, {Kind::Real}, {exact(operand(1, f32)), exact(operand(1, f32))}),
              mode));
  };
  CHECK(result(difference(ir::Rounding::rm), {mpz_class("3f800000", 16)}).bits == mpz_class("80000000", 16));
  CHECK(result(difference(ir::Rounding::rp), {mpz_class("3f800000", 16)}).bits == 0);
}

TEST_CASE("unspecified bits stay where they are and spread through arithmetic") {
  const auto low = unary(u32, u32, operation(Op::And, u32, {unspecified(u32), constant(0xff)}, {0, 0xff}));
  CHECK(result(low, {0}).unspecified == 0xff);
  const auto sum = unary(u32, u32, wrap(u32, add(unspecified(u32), operand(1, u32))));
  CHECK(result(sum, {5}).unspecified == mpz_class("ffffffff", 16));
  const auto canonical =
      unary(f32, f32, operation(Op::Canonical, f32, {round(f32, exact(operand(1, f32)), ir::Rounding::rn)}));
  CHECK(result(canonical, {mpz_class("ff812345", 16)}).bits == mpz_class("7fffffff", 16));
  CHECK(result(canonical, {mpz_class("ff812345", 16)}).known());
}

TEST_CASE("failed requirements name their lanes") {
  ir::Form f = unary(u32, u32, operand(1, u32));
  Stmt require{};
  require.what = Stmt::What::Require;
  require.text = "too large";
  require.value = operation(Op::Less, pred, {operand(1, u32), constant(10)});
  f.body.insert(f.body.begin(), require);
  eval::Frame frame = frame_of(f, {5});
  frame.operands[1][0][3].bits = 10;
  frame.operands[1][0][4].bits = 10;
  frame.active = 0x8;
  const eval::Outcome outcome = eval::evaluate(program({f}), f, frame);
  REQUIRE(outcome.failures.size() == 1);
  CHECK(outcome.failures[0].lanes == 0x8);
  CHECK(outcome.failures[0].why == "too large");
}

TEST_CASE("updates of one address follow each other in the order of the lanes") {
  ir::Operand address = in("a", u64);
  address.kind = ir::OperandKind::Address;
  Stmt update{};
  update.what = Stmt::What::Let;
  update.index = update.old_local = 0;
  update.type = u32;
  update.labels.space = ir::Space::Global;
  update.address = operand(1, u64);
  update.value =
      operation(Op::MemoryUpdate, u32, {wrap(u32, add(local(0, u32), constant(1)))}, ir::range_of(u32));
  ir::Form f = form("atom", {"inc"}, {out("d", u32), address}, {update, assign(0, local(0, u32))});
  f.locals = {{"old", u32, ir::range_of(u32)}};
  eval::Frame frame = frame_of(f, {256});
  frame.active = 0xff;
  const eval::Outcome outcome = eval::evaluate(program({f}), f, frame);
  CHECK(outcome.after.operands[0][0][7].bits == 7);
  CHECK(outcome.after.memory.at({ir::Space::Global, 256}) == 8);
}

TEST_CASE("literals") {
  CHECK(eval::parse_pattern("-1", s32) == mpz_class("ffffffff", 16));
  CHECK(eval::parse_pattern("0f3f800000", f32) == 0x3f800000);
  CHECK(eval::parse_pattern("1.5", f32) == 0x3fc00000);
  CHECK_THROWS_AS(eval::parse_pattern("0x100000000", u32), std::invalid_argument);
  CHECK_THROWS_AS(eval::parse_pattern("x", u32), std::invalid_argument);
}

}  // namespace semcc::test
