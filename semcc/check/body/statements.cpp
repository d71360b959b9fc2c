// Statements: loops unrolled, compile-time conditions decided.
#include <fmt/format.h>

#include "semcc/check/body/body.h"
#include "semcc/check/types/types.h"

namespace semcc::check {

namespace {

bool returns(const front::Block& block) {
  for (const front::Stmt& s : block)
    if (s.what == front::Stmt::What::Return || returns(s.body) || returns(s.otherwise)) return true;
  return false;
}

}  // namespace

std::optional<Value> Body::run_function(const front::Block& statements, Evaluator& names) {
  ++functions_;
  struct Leave {
    int& depth;
    ~Leave() { --depth; }
  } leave{functions_};
  return block(statements, 0, names);
}

std::optional<Value> Body::block(const front::Block& statements, std::size_t from, Evaluator& names) {
  for (std::size_t i = from; i < statements.size(); ++i) {
    const front::Stmt& s = statements[i];
    try {
      if (s.what == front::Stmt::What::Return) {
        if (functions_ == 0) throw Refusal{s.at, "return belongs to functions: assign the outputs"};
        return names.value(*s.value);
      }
      if (s.what == front::Stmt::What::If) {
        const ir::ExprPtr condition = names.number(*s.value);
        build::want_pred(condition, "a condition");
        if (build::is_constant(condition)) {
          names.push();
          auto result = block(condition->constant != 0 ? s.body : s.otherwise, 0, names);
          names.pop();
          if (result) return result;
        } else if (returns(s.body) || returns(s.otherwise)) {
          return choose(statements, i, keep(condition, "condition"), names);
        } else {
          branch(s, keep(condition, "condition"), names);
        }
      } else if (s.what == front::Stmt::What::For && returns(s.body)) {
        throw Refusal{s.at, "return inside a loop"};
      } else {
        statement(s, names);
      }
    } catch (const Refusal& refusal) {
      if (functions_ > 0) throw;
      diagnostics_.error(refusal, "in " + form_.text());
      failed_ = true;
      if (s.what == front::Stmt::What::Let || s.what == front::Stmt::What::Var) names.define(s.name, Value{});
    }
  }
  return {};
}

void Body::statement(const front::Stmt& s, Evaluator& names) {
  switch (s.what) {
    case front::Stmt::What::Let:
      return let(s, names);
    case front::Stmt::What::Var:
      return variable(s, names);
    case front::Stmt::What::Assign:
      return assign(s, names);
    case front::Stmt::What::For:
      return loop(s, names);
    case front::Stmt::What::Forall:
      return forall(s, names);
    case front::Stmt::What::Require:
      return require(s, names);
    case front::Stmt::What::Fence:
      return fence(s, names);
    case front::Stmt::What::Perform:
      return perform(s, names);
    default:
      return;
  }
}

void Body::let(const front::Stmt& s, Evaluator& names) {
  Value value = names.value(*s.value);
  if (value.is(Value::What::Operand)) {
    const ir::Operand& o = form_.operands[static_cast<std::size_t>(value.index)];
    if (o.type.parts == 1 && (o.count == 1 || value.element >= 0))
      value = Value::number(names.number(value, s.value->at));
  }
  if (value.is(Value::What::Number)) value.expr = keep(value.expr, s.name);
  names.define(s.name, value);
}

void Body::variable(const front::Stmt& s, Evaluator& names) {
  const ir::Type type = names.type(*s.type);
  const ir::ExprPtr start = names.number(*s.value);
  const Slot slot{Slot::What::Variable, static_cast<int>(variables_.size()), -1, ""};
  variables_.emplace_back(s.name, type);
  write(slot, type, start, s.at);
  Value value{Value::What::Variable};
  value.index = slot.index;
  names.define(s.name, value);
}

void Body::assign(const front::Stmt& s, Evaluator& names) {
  ir::Type type;
  const Slot target = slot(*s.target, names, type);
  if (target.what == Slot::What::State && functions_ > 0)
    throw Refusal{s.at, "a function may not write a state"};
  if (no_locals > 0 && target.what != Slot::What::Variable)
    throw Refusal{s.at, "an assignment inside an expression"};
  write(target, type, names.number(*s.value), s.value->at);
}

void Body::require(const front::Stmt& s, Evaluator& names) {
  ir::ExprPtr condition = names.number(*s.value);
  build::want_pred(condition, "what is required");
  for (const ir::ExprPtr& guard : guards_)
    condition = build::logical("||", build::negate(guard, s.at), condition, s.at);
  if (build::is_constant(condition) && condition->constant != 0) return;
  const bool scalar = form_.level == ir::Level::Warp && !varies(form_, *condition);
  ir::Stmt& require = emit(ir::Stmt::What::Require, s.at);
  require.value = condition;
  require.name = s.name;
  require.text = s.text;
  require.scalar = scalar;
}

void Body::loop(const front::Stmt& s, Evaluator& names) {
  const mpz_class first = names.integer(*s.value, "the first value of a loop"),
                  last = names.integer(*s.last, "the last value of a loop");
  if (last - first >= 1024) throw Refusal{s.at, "a loop of more than 1024 rounds"};
  for (mpz_class i = first; i <= last; ++i) {
    names.push();
    names.define(s.name, Value::number(build::constant(i, s.at)));
    block(s.body, 0, names);
    names.pop();
  }
}

void Body::forall(const front::Stmt& s, Evaluator& names) {
  if (form_.level != ir::Level::Warp)
    throw Refusal{s.at, "forall belongs to warp bodies: here each lane runs by itself"};
  if (in_lanes) throw Refusal{s.at, "forall inside forall"};
  if (!names.value(*s.value).is(Value::What::Active)) throw Refusal{s.value->at, "forall runs over `active`"};
  ir::Expr number{};
  number.op = ir::Op::Lane;
  number.type = exact_type();
  number.range = {0, 31};
  number.at = s.at;
  in_lanes = true;
  names.push();
  names.define(s.name, Value::number(std::make_shared<const ir::Expr>(std::move(number))));
  block(s.body, 0, names);
  names.pop();
  in_lanes = false;
  reads_.clear();
}

void Body::perform(const front::Stmt& s, Evaluator& names) {
  if (s.value->what != front::Expr::What::Call) throw Refusal{s.at, "this statement does nothing"};
  const std::size_t before = form_.body.size();
  names.value(*s.value);
  const bool effect = form_.body.size() > before && form_.body.back().what != ir::Stmt::What::Let;
  const bool update = form_.body.size() > before && form_.body.back().old_local >= 0;
  if (!effect && !update) throw Refusal{s.at, "this statement does nothing"};
}

}  // namespace semcc::check
