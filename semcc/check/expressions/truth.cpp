// Comparisons, truth values and choice.
#include <fmt/format.h>

#include <algorithm>

#include "semcc/check/expressions/build.h"
#include "semcc/check/types/types.h"

namespace semcc::check::build {
namespace {

bool holds(Op op, const mpz_class& a, const mpz_class& b) {
  return op == Op::Equal ? a == b : op == Op::NotEqual ? a != b : op == Op::Less ? a < b : a <= b;
}

// What the intervals alone decide: 1 true, 0 false, -1 open.
int decided(Op op, const ir::Interval& a, const ir::Interval& b) {
  switch (op) {
    case Op::Less:
      return a.high < b.low ? 1 : a.low >= b.high ? 0 : -1;
    case Op::LessEqual:
      return a.high <= b.low ? 1 : a.low > b.high ? 0 : -1;
    case Op::Equal:
      return a.high < b.low || a.low > b.high ? 0 : -1;
    default:
      return a.high < b.low || a.low > b.high ? 1 : -1;
  }
}

}  // namespace

ExprPtr compare(const std::string& op, const ExprPtr& a, const ExprPtr& b, Location at) {
  if (op == ">") return compare("<", b, a, at);
  if (op == ">=") return compare("<=", b, a, at);
  const Op kind = op == "==" ? Op::Equal : op == "!=" ? Op::NotEqual : op == "<" ? Op::Less : Op::LessEqual;
  const bool equality = kind == Op::Equal || kind == Op::NotEqual;
  if (a->type.kind == ir::Kind::Float || b->type.kind == ir::Kind::Float)
    throw Refusal{
        at, fmt::format("{} does not compare floats: write equal, less, less_equal, or compare their bits(…)",
                        op)};
  if (a->type.kind == ir::Kind::Pred && b->type.kind == ir::Kind::Pred && equality) {
    if (is_constant(a) && is_constant(b)) return truth(holds(kind, a->constant, b->constant), at);
    return node(kind, pred_type(), {a, b}, at);
  }
  want_integer(a, "a side of a comparison");
  want_integer(b, "a side of a comparison");
  if (is_constant(a) && is_constant(b)) return truth(holds(kind, a->constant, b->constant), at);
  if (const int known = decided(kind, a->range, b->range); known >= 0) return truth(known == 1, at);
  return node(kind, pred_type(), {a, b}, at);
}

ExprPtr logical(const std::string& op, const ExprPtr& a, const ExprPtr& b, Location at) {
  want_pred(a, "the left side");
  want_pred(b, "the right side");
  const auto fold = [&](const ExprPtr& known, const ExprPtr& other) -> ExprPtr {
    const bool value = known->constant != 0;
    if (op == "&&") return value ? other : known;
    if (op == "||") return value ? known : other;
    return value ? negate(other, at) : other;
  };
  if (is_constant(a)) return fold(a, b);
  if (is_constant(b)) return fold(b, a);
  return node(op == "&&"   ? Op::LogicalAnd
              : op == "||" ? Op::LogicalOr
                           : Op::LogicalXor,
              pred_type(), {a, b}, at);
}

ExprPtr negate(const ExprPtr& p, Location at) {
  want_pred(p, "what ! negates");
  if (is_constant(p)) return truth(p->constant == 0, at);
  return node(Op::LogicalNot, pred_type(), {p}, at);
}

ExprPtr select(const ExprPtr& condition, const ExprPtr& a, const ExprPtr& b, Location at) {
  want_pred(condition, "a condition");
  if (is_constant(condition)) return condition->constant != 0 ? a : b;
  if (a == b) return a;
  const bool integers = a->type.kind == ir::Kind::Integer && b->type.kind == ir::Kind::Integer;
  if (!integers && !(a->type == b->type))
    throw Refusal{at,
                  fmt::format("the two sides of a choice differ: {} and {}", a->type.name(), b->type.name())};
  if (a->type.kind == ir::Kind::Real) throw Refusal{at, "a choice between reals: round each side"};
  ir::Expr e{};
  e.op = Op::Select;
  e.type = integers && !(a->type == b->type) ? exact_type() : a->type;
  e.args = {condition, a, b};
  if (integers) e.range = {std::min(a->range.low, b->range.low), std::max(a->range.high, b->range.high)};
  e.at = at;
  return std::make_shared<const ir::Expr>(std::move(e));
}

}  // namespace semcc::check::build
