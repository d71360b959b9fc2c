// Conditions known only at run time: both sides are computed, then one is chosen (if-conversion).
#include "semcc/check/body/body.h"

namespace semcc::check {

void Body::branch(const front::Stmt& s, const ir::ExprPtr& condition, Evaluator& names) {
  const std::map<Slot, Written> before = written_;
  const auto side = [&](const front::Block& statements, const ir::ExprPtr& guard) {
    written_ = before;
    const Under under(this, guard);
    names.push();
    block(statements, 0, names);
    names.pop();
    return written_;
  };
  const std::map<Slot, Written> yes = side(s.body, condition);
  const std::map<Slot, Written> no = side(s.otherwise, build::negate(condition, s.at));
  written_ = before;
  merge(condition, yes, no, s.at);
}

void Body::merge(const ir::ExprPtr& condition, const std::map<Slot, Written>& yes,
                 const std::map<Slot, Written>& no, Location at) {
  std::map<Slot, Written> sides = yes;
  sides.insert(no.begin(), no.end());
  for (const auto& [slot, either] : sides) {
    const auto a = yes.find(slot), b = no.find(slot);
    // A state that one side leaves alone keeps its value; an output that one side does not write has none
    // there.
    Written kept{nullptr, false};
    if (slot.what == Slot::What::State && (a == yes.end() || b == no.end()))
      kept = {state(slot.name, at), true};
    const Written& on_true = a != yes.end() ? a->second : kept;
    const Written& on_false = b != no.end() ? b->second : kept;
    if (!on_true.value || !on_false.value) {
      written_[slot] = {on_true.value ? on_true.value : on_false.value, false};
      continue;
    }
    ir::ExprPtr chosen = build::select(condition, on_true.value, on_false.value, at);
    if (slot.what != Slot::What::Operand) chosen = keep(chosen, "chosen");
    written_[slot] = {chosen, on_true.always && on_false.always};
  }
}

// An `if` that returns: each side goes on with what follows the `if`.
Value Body::choose(const front::Block& statements, std::size_t at, const ir::ExprPtr& condition,
                   Evaluator& names) {
  const front::Stmt& s = statements[at];
  const std::map<Slot, Written> before = written_;
  const auto side = [&](const front::Block& first, const ir::ExprPtr& guard) {
    written_ = before;
    const Under under(this, guard);
    names.push();
    std::optional<Value> result = block(first, 0, names);
    if (!result) result = block(statements, at + 1, names);
    names.pop();
    if (!result) throw Refusal{s.at, "no value is returned on one side of this condition"};
    return names.number(*result, s.at);
  };
  const ir::ExprPtr yes = side(s.body, condition);
  const ir::ExprPtr no = side(s.otherwise, build::negate(condition, s.at));
  written_ = before;
  return Value::number(build::select(condition, yes, no, s.at));
}

}  // namespace semcc::check
