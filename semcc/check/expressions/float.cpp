// Floats: exact reals of a closed list of shapes, rounded once.
#include <fmt/format.h>

#include "semcc/check/expressions/build.h"
#include "semcc/check/types/types.h"

namespace semcc::check::build {
namespace {

constexpr const char* shapes =
    "admissible are exact(x), a + b, a - b, a * b, a * b + c, a / b, sqrt(a) and an integer, each under one "
    "rounding";

ir::Type real_type() { return {ir::Kind::Real}; }

bool is_leaf(const ExprPtr& e) { return e->op == Op::Exact || e->op == Op::RealOfInteger; }

// x or -x
ExprPtr lift(const ExprPtr& e, Location at) {
  if (e->type.kind == ir::Kind::Real) return e;
  if (e->type.kind == ir::Kind::Integer) return node(Op::RealOfInteger, real_type(), {e}, at);
  throw Refusal{e->at,
                fmt::format("this must be a real, but it is {}: lift a float with exact(…)", e->type.name())};
}

}  // namespace

ExprPtr exact(const ExprPtr& x, Location at) {
  want_float(x, "what exact lifts");
  if (x->type.parts > 1) throw Refusal{at, fmt::format("{} is packed: take a part", x->type.name())};
  return node(Op::Exact, real_type(), {x}, at);
}

ExprPtr real_negate(const ExprPtr& a, Location at) {
  if (a->op == Op::Exact) return exact(float_to_float(Op::FloatNegate, a->args[0], at), at);
  if (a->op == Op::RealOfInteger) return lift(integer(Op::Neg, a->args[0], at), at);
  if (a->op == Op::RealMul)
    return node(Op::RealMul, real_type(), {real_negate(a->args[0], at), a->args[1]}, at);
  throw Refusal{at, fmt::format("a real that cannot be rounded in one step; {}", shapes)};
}

ExprPtr real(const std::string& op, const ExprPtr& left, const ExprPtr& right, Location at) {
  const ExprPtr a = lift(left, at), b = lift(right, at);
  if (op == "-" && (is_leaf(b) || b->op == Op::RealMul) && !(is_leaf(a) && is_leaf(b)))
    return real("+", a, real_negate(b, at), at);
  if (op == "+" && a->op == Op::RealMul && is_leaf(b))
    return node(Op::RealFma, real_type(), {a->args[0], a->args[1], b}, at);
  if (op == "+" && b->op == Op::RealMul && is_leaf(a))
    return node(Op::RealFma, real_type(), {b->args[0], b->args[1], a}, at);
  const Op kind = op == "+" ? Op::RealAdd : op == "-" ? Op::RealSub : op == "*" ? Op::RealMul : Op::RealDiv;
  if (!is_leaf(a) || !is_leaf(b) || op == "%")
    throw Refusal{at, fmt::format("a real that cannot be rounded in one step; {}", shapes)};
  return node(kind, real_type(), {a, b}, at);
}

ExprPtr square_root(const ExprPtr& a, Location at) {
  const ExprPtr x = lift(a, at);
  if (!is_leaf(x)) throw Refusal{at, fmt::format("a real that cannot be rounded in one step; {}", shapes)};
  return node(Op::RealSqrt, real_type(), {x}, at);
}

ExprPtr round(const ir::Type& type, const ExprPtr& x, ir::Rounding rounding, Location at) {
  if (type.kind != ir::Kind::Float || type.parts > 1)
    throw Refusal{at, fmt::format("round needs a float type, not {}", type.name())};
  ir::Expr e{};
  e.op = Op::Round;
  e.type = type;
  e.args = {lift(x, at)};
  e.rounding = rounding;
  e.at = at;
  return std::make_shared<const ir::Expr>(std::move(e));
}

ExprPtr integral(const ExprPtr& x, ir::Rounding rounding, Location at) {
  if (x->op != Op::Exact) throw Refusal{at, "integral takes exact(x) of a float x"};
  ir::Expr e{};
  e.op = Op::Integral;
  e.type = real_type();
  e.args = {x};
  e.rounding = rounding;
  e.at = at;
  return std::make_shared<const ir::Expr>(std::move(e));
}

ExprPtr float_to_float(Op op, const ExprPtr& x, Location at) {
  want_float(x, "the operand");
  if (op == Op::Canonical) canonical_nan(x->type, at);
  return node(op, x->type, {x}, at);
}

ExprPtr float_to_float(Op op, const ExprPtr& a, const ExprPtr& b, Location at) {
  want_float(a, "the sign's source");
  want_float(b, "the magnitude");
  if (!(a->type == b->type))
    throw Refusal{at, fmt::format("two formats: {} and {}", a->type.name(), b->type.name())};
  return node(op, a->type, {a, b}, at);
}

ExprPtr float_test(Op op, const ExprPtr& x, Location at) {
  want_float(x, "the operand");
  return node(op, pred_type(), {x}, at);
}

ExprPtr float_test(Op op, const ExprPtr& a, const ExprPtr& b, Location at) {
  want_float(a, "the left operand");
  want_float(b, "the right operand");
  if (!(a->type == b->type))
    throw Refusal{at, fmt::format("two formats compared: {} and {}", a->type.name(), b->type.name())};
  return node(op, pred_type(), {a, b}, at);
}

}  // namespace semcc::check::build
