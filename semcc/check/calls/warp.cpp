// What lanes of a warp tell each other: ballot, reduce, first.
#include <fmt/format.h>

#include "semcc/check/body/body.h"
#include "semcc/check/types/types.h"

namespace semcc::check {

using ir::Op;
using What = front::Expr::What;

namespace {

ir::Interval reduced_range(ir::ReduceOp op, const ir::Interval& r) {
  switch (op) {
    case ir::ReduceOp::Add:
      return {r.low < 0 ? mpz_class(32 * r.low) : r.low, r.high > 0 ? mpz_class(32 * r.high) : r.high};
    case ir::ReduceOp::Min:
    case ir::ReduceOp::Max:
      return r;
    default:
      break;
  }
  if (r.needs_sign()) return {-(mpz_class(1) << (r.bits() - 1)), (mpz_class(1) << (r.bits() - 1)) - 1};
  return {0, (mpz_class(1) << r.bits()) - 1};
}

}  // namespace

bool Evaluator::call_warp(const Callee& c, const front::Expr& e, Value& result) {
  if (c.name == "first") {  // the lowest lane of a mask
    want_args(c, e, 0, 1);
    const ir::ExprPtr mask = number(*e.args[1]);
    const ir::ExprPtr lowest = build::integer(Op::And, mask, build::integer(Op::Neg, mask, e.at), e.at);
    result = Value::number(build::integer(Op::Max, build::integer(Op::HighestBit, lowest, e.at),
                                          build::constant(0, e.at), e.at));
    return true;
  }
  static const std::map<std::string, ir::ReduceOp> reductions{
      {"reduce.add", ir::ReduceOp::Add}, {"reduce.min", ir::ReduceOp::Min},
      {"reduce.max", ir::ReduceOp::Max}, {"reduce.and", ir::ReduceOp::And},
      {"reduce.or", ir::ReduceOp::Or},   {"reduce.xor", ir::ReduceOp::Xor}};
  const auto reduction = reductions.find(c.name);
  if (reduction == reductions.end() && c.name != "ballot") return false;
  want_args(c, e, 0, 1);
  const front::Expr& each = *e.args[1];
  const bool over_active = each.what == What::Each && each.args[0]->what == What::Binary &&
                           each.args[0]->text == "in" && each.args[0]->args[0]->what == What::Name &&
                           each.args[0]->args[1]->what == What::Name &&
                           each.args[0]->args[1]->text == "active";
  if (!over_active) throw Refusal{each.at, fmt::format("{} is written {}(i in active : …)", c.name, c.name)};
  if (!body_ || body_->form().level != ir::Level::Warp)
    throw Refusal{e.at, fmt::format("{} needs a warp body", c.name)};

  ir::Expr bound{};
  bound.op = Op::BoundLane;
  bound.type = exact_type();
  bound.range = {0, 31};
  bound.at = each.at;
  push();
  define(each.args[0]->args[0]->text, Value::number(std::make_shared<const ir::Expr>(std::move(bound))));
  ++body_->no_locals;
  const bool outer = body_->in_lanes;
  struct Leave {
    Evaluator& e;
    Body& b;
    bool in_lanes;
    ~Leave() {
      e.pop();
      --b.no_locals;
      b.in_lanes = in_lanes;
    }
  } leave{*this, *body_, outer};
  const ir::ExprPtr term = number(*each.args[1]);

  if (c.name == "ballot") {
    build::want_pred(term, "what ballot asks of each lane");
    result = Value::number(build::node(Op::Ballot, integer_type(32, false, true), {term}, e.at));
    return true;
  }
  build::want_integer(term, "what is reduced");
  ir::Expr r{};
  r.op = Op::Reduce;
  r.type = exact_type();
  r.range = reduced_range(reduction->second, term->range);
  r.reduce = reduction->second;
  r.args = {term};
  r.at = e.at;
  result = Value::number(std::make_shared<const ir::Expr>(std::move(r)));
  return true;
}

}  // namespace semcc::check
