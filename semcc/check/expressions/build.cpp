#include "semcc/check/expressions/build.h"

#include <fmt/format.h>

#include "semcc/check/types/types.h"

namespace semcc::check::build {

ExprPtr node(Op op, ir::Type type, std::vector<ExprPtr> args, Location at) {
  ir::Expr e{};
  e.op = op;
  e.type = type;
  e.args = std::move(args);
  e.at = at;
  if (type.kind == ir::Kind::Integer && type.width > 0) e.range = ir::range_of(type);
  return std::make_shared<const ir::Expr>(std::move(e));
}

ExprPtr constant(const mpz_class& value, const ir::Type& type, Location at) {
  ir::Expr e{};
  e.op = Op::Constant;
  e.type = type;
  e.constant = value;
  e.range = {value, value};
  e.at = at;
  return std::make_shared<const ir::Expr>(std::move(e));
}

ExprPtr constant(const mpz_class& value, Location at) { return constant(value, exact_type(), at); }
ExprPtr truth(bool value, Location at) { return constant(value, pred_type(), at); }
bool is_constant(const ExprPtr& e) { return e->op == Op::Constant; }

const mpz_class& number_of(const ExprPtr& e, const char* what) {
  want_integer(e, what);
  if (!is_constant(e)) throw Refusal{e->at, fmt::format("{} must be known at compile time", what)};
  return e->constant;
}

namespace {
void want(const ExprPtr& e, ir::Kind kind, const char* what, const char* wanted) {
  if (e->type.kind != kind)
    throw Refusal{e->at, fmt::format("{} must be {}, but this is {}", what, wanted, e->type.name())};
}
}  // namespace

void want_integer(const ExprPtr& e, const char* what) { want(e, ir::Kind::Integer, what, "an integer"); }
void want_pred(const ExprPtr& e, const char* what) { want(e, ir::Kind::Pred, what, "a truth value"); }
void want_float(const ExprPtr& e, const char* what) { want(e, ir::Kind::Float, what, "a float"); }

}  // namespace semcc::check::build
