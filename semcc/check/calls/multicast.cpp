// Memory that stands for several places, one on each device of a team: multicast.update and multicast.reduce.
#include "semcc/check/body/body.h"
#include "semcc/check/types/types.h"

namespace semcc::check {

// As memory.update and memory.read are written; a reduction ends with `x => y => one of both`.
using What = front::Expr::What;

bool Evaluator::call_multicast(const Callee& c, const front::Expr& e, Value& result) {
  if (c.name != "multicast.update" && c.name != "multicast.reduce") return false;
  if (!body_) throw Refusal{e.at, "memory can only be touched in a body"};
  const bool reduces = c.name == "multicast.reduce";
  want_args(c, e, 1, 5);
  const front::Expr& outer = *e.args[5];
  const front::Expr* const inner = outer.args.empty() ? nullptr : outer.args[0].get();
  if (outer.what != What::Lambda || (reduces && inner->what != What::Lambda))
    throw Refusal{outer.at, reduces ? "the last argument of multicast.reduce is `x => y => one of both`"
                                    : "the last argument of multicast.update is `old => new`"};
  ir::Stmt stmt{};
  stmt.name = reduces ? "multicast_reduce" : "multicast_update";
  stmt.type = suffix_type(c, 0);
  stmt.labels = labels(e.args, 1, 3, e.at);
  stmt.args.push_back(number(*e.args[2]));
  build::want_integer(stmt.args.back(), "an address");
  const ir::Type type = stmt.type;
  const auto apply = [&](const ir::ExprPtr& old, const ir::ExprPtr& element) {
    push();
    define(outer.text, Value::number(old));
    if (reduces) define(inner->text, Value::number(element));
    ir::ExprPtr now = fit(number(reduces ? *inner->args[0] : *inner), type, "the new value", outer.at);
    pop();
    return now;
  };
  if (reduces)
    result = Value::number(body_->transferred(std::move(stmt), "reduced", type, e.at, apply));
  else
    body_->transfer(std::move(stmt), apply, e.at);
  return true;
}

}  // namespace semcc::check
