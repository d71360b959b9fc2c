// Reading operands through their filters, and writing them.
#include <fmt/format.h>

#include <algorithm>

#include "semcc/check/body/body.h"
#include "semcc/check/types/types.h"

namespace semcc::check {

using ir::Op;

ir::ExprPtr Body::filtered(int operand, ir::ExprPtr value, Location at) const {
  for (const Op filter : filters_[static_cast<std::size_t>(operand)])
    value = build::float_to_float(filter, value, at);
  return value;
}

// `part` counts parts of all elements; -1: the operand is one undivided value.
ir::ExprPtr Body::read_element(int operand, int part, const ir::Type& type, ir::ExprPtr lane_of,
                               Location at) {
  const ir::Operand& o = form_.operands[static_cast<std::size_t>(operand)];
  if (!o.in) throw Refusal{at, fmt::format("{} is an output: a body may not read it", o.name)};
  if (!scattered_.empty()) throw Refusal{at, fmt::format("{} is read after a fragment was written", o.name)};
  using K = ir::OperandKind;
  if (o.kind == K::Label || o.kind == K::Function || o.kind == K::List)
    throw Refusal{at, fmt::format("{} has no value", o.name)};
  if (form_.level == ir::Level::Warp && !lane_of && !in_lanes)
    throw Refusal{at,
                  fmt::format("outside forall there is no lane to read {} of: write {}[i]", o.name, o.name)};
  if (lane_of) {
    build::want_integer(lane_of, "the number of a lane");
    if (lane_of->range.low < 0 || lane_of->range.high > 31)
      throw Refusal{at, fmt::format("a lane's number is 0..31, but this may be {}..{}",
                                    lane_of->range.low.get_str(), lane_of->range.high.get_str())};
  }
  const auto key = std::make_pair(operand, part);
  if (!lane_of)
    if (const auto known = reads_.find(key); known != reads_.end()) return known->second;
  ir::Expr e{};
  e.op = Op::Operand;
  e.type = type;
  if (type.kind == ir::Kind::Integer) e.range = ir::range_of(type);
  if (lane_of) e.args = {lane_of};
  e.index = operand;
  e.part = part;
  e.at = at;
  const ir::ExprPtr value = filtered(operand, std::make_shared<const ir::Expr>(std::move(e)), at);
  if (lane_of || no_locals > 0) return value;
  return reads_[key] = keep(value, o.name);
}

ir::ExprPtr Body::read(const Value& operand, ir::ExprPtr lane_of, Location at) {
  const ir::Operand& o = form_.operands[static_cast<std::size_t>(operand.index)];
  if (o.in && o.type.parts > 1)
    throw Refusal{
        at, fmt::format("{} is packed ({}): take a part with {}.part(i)", o.name, o.type.name(), o.name)};
  if (o.in && o.count > 1 && operand.element < 0)
    throw Refusal{at, fmt::format("{} is a vector: take an element with {}[i]", o.name, o.name)};
  return read_element(operand.index, o.count > 1 ? operand.element : -1, o.type, std::move(lane_of), at);
}

ir::ExprPtr Body::read_part(const Value& operand, const mpz_class& part, ir::ExprPtr lane_of, Location at) {
  const ir::Operand& o = form_.operands[static_cast<std::size_t>(operand.index)];
  if (o.count > 1 && operand.element < 0)
    throw Refusal{at, fmt::format("{} is a vector: take an element first", o.name)};
  if (part < 0 || part >= o.type.parts)
    throw Refusal{at, fmt::format("{} ({}) has {} parts", o.name, o.type.name(), o.type.parts)};
  ir::Type type = o.type;
  type.parts = 1;
  const int base = std::max(operand.element, 0) * static_cast<int>(o.type.parts);
  const int index = o.count * o.type.parts == 1 ? -1 : base + static_cast<int>(part.get_si());
  return read_element(operand.index, index, type, std::move(lane_of), at);
}

ir::ExprPtr Body::pred_mask(const Value& operand, Location at) {
  const ir::Operand& o = form_.operands[static_cast<std::size_t>(operand.index)];
  if (!o.in) throw Refusal{at, fmt::format("{} is an output: a body may not read it", o.name)};
  if (o.kind != ir::OperandKind::Predicate || form_.level != ir::Level::Warp)
    throw Refusal{at, fmt::format("{}.mask: only predicates in warp bodies have a mask", o.name)};
  ir::Expr e{};
  e.op = Op::PredMask;
  e.type = integer_type(32, false, true);
  e.range = ir::range_of(e.type);
  e.index = operand.index;
  e.at = at;
  return std::make_shared<const ir::Expr>(std::move(e));
}

Slot Body::slot(const front::Expr& target, Evaluator& names, ir::Type& type) {
  using What = front::Expr::What;
  if (target.what == What::Name && !names.local(target.text) && names.scope_->states.count(target.text)) {
    type = pred_type();
    return {Slot::What::State, -1, -1, target.text};
  }
  const bool part =
      target.what == What::Call && target.args[0]->what == What::Member && target.args[0]->text == "part";
  const front::Expr* base = part ? target.args[0]->args[0].get() : &target;
  mpz_class element = -1;
  if (base->what == What::Index) {
    element = names.integer(*base->args[1], "the place in a vector");
    base = base->args[0].get();
  }
  const Value* known = base->what == What::Name ? names.local(base->text) : nullptr;
  if (!known) throw Refusal{target.at, "only outputs, states and variables can be assigned"};
  if (known->is(Value::What::Variable) && base == &target) {
    type = variables_[static_cast<std::size_t>(known->index)].second;
    return {Slot::What::Variable, known->index, -1, ""};
  }
  if (!known->is(Value::What::Operand))
    throw Refusal{target.at, fmt::format("{} cannot be assigned: declare it with var", base->text)};
  const ir::Operand& o = form_.operands[static_cast<std::size_t>(known->index)];
  if (!o.out) throw Refusal{target.at, fmt::format("{} is an input: it cannot be assigned", o.name)};
  if (element >= o.count) throw Refusal{target.at, fmt::format("{} has {} elements", o.name, o.count)};
  if (element < 0 && o.count > 1)
    throw Refusal{target.at, fmt::format("{} is a vector: assign its elements, {}[i] = …", o.name, o.name)};
  if (!part && o.type.parts > 1)
    throw Refusal{target.at, fmt::format("{} is packed ({}): assign its parts, {}.part(i) = …", o.name,
                                         o.type.name(), o.name)};
  type = o.type;
  type.parts = 1;
  mpz_class index = element < 0 ? mpz_class(0) : element;
  if (part) {
    if (target.args.size() != 2) throw Refusal{target.at, "part takes one argument"};
    const mpz_class i = names.integer(*target.args[1], "the number of a part");
    if (i < 0 || i >= o.type.parts)
      throw Refusal{target.at, fmt::format("{} ({}) has {} parts", o.name, o.type.name(), o.type.parts)};
    index = index * o.type.parts + i;
  }
  const bool whole = o.count * o.type.parts == 1;
  return {Slot::What::Operand, known->index, whole ? -1 : static_cast<int>(index.get_si()), ""};
}

void Body::write(const Slot& slot, const ir::Type& type, ir::ExprPtr value, Location at) {
  const bool operand = slot.what == Slot::What::Operand;
  const auto index = static_cast<std::size_t>(slot.index);
  const std::string what = operand                          ? form_.operands[index].name
                           : slot.what == Slot::What::State ? slot.name
                                                            : variables_[index].first;
  value = fit(std::move(value), type, what, at);
  if (value->name == barrier_result_name) {
    if (!operand) throw Refusal{at, "the result of a barrier goes straight to an output"};
    form_.body.back().index = slot.index;
  } else if (!operand) {
    value = keep(value, what);
  }
  if (operand && form_.level == ir::Level::Warp && !in_lanes && varies(form_, *value))
    throw Refusal{at,
                  fmt::format("{} is written outside forall with a value that differs between lanes", what)};
  written_[slot] = {value, true};
}

}  // namespace semcc::check
