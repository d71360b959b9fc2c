// What a body wrote, and how it ends.
#include "semcc/check/body/body.h"

#include <fmt/format.h>

#include "semcc/check/body/prune.h"
#include "semcc/check/types/types.h"

namespace semcc::check {

using ir::Op;

namespace {

// What lies below a shared node is looked at once: inlining makes a DAG.
bool varies(const ir::Form& form, const ir::Expr& e, std::set<const ir::Expr*>& seen) {
  if (!seen.insert(&e).second) return false;
  switch (e.op) {
    case Op::Lane:
    case Op::State:
      return true;
    case Op::Local:
      return !form.locals[static_cast<std::size_t>(e.index)].scalar;
    case Op::Operand:
      if (e.args.empty()) return true;
      break;
    default:
      break;
  }
  for (const auto& arg : e.args)
    if (varies(form, *arg, seen)) return true;
  return false;
}

}  // namespace

bool varies(const ir::Form& form, const ir::Expr& e) {
  std::set<const ir::Expr*> seen;
  return varies(form, e, seen);
}

ir::Stmt& Body::emit(ir::Stmt::What what, Location at) {
  form_.body.push_back({});
  form_.body.back().what = what;
  form_.body.back().at = at;
  return form_.body.back();
}

int Body::add_local(const std::string& name, const ir::Type& type, const ir::Interval& range, bool scalar) {
  form_.locals.push_back({name, type, range, scalar});
  return static_cast<int>(form_.locals.size()) - 1;
}

ir::ExprPtr Body::local(int index, Location at) const {
  const ir::Local& l = form_.locals[static_cast<std::size_t>(index)];
  ir::Expr e{};
  e.op = Op::Local;
  e.type = l.type;
  e.range = l.range;
  e.index = index;
  e.at = at;
  return std::make_shared<const ir::Expr>(std::move(e));
}

ir::ExprPtr Body::keep(ir::ExprPtr value, const std::string& name) {
  const bool leaf = value->op == Op::Constant || value->op == Op::Local || value->op == Op::Lane ||
                    value->op == Op::BoundLane || value->op == Op::Special ||
                    (value->op == Op::Operand && value->args.empty());
  if (leaf || no_locals > 0 || value->type.kind == ir::Kind::Real) return value;
  const bool scalar = form_.level == ir::Level::Warp && !varies(form_, *value);
  const int index = add_local(name, value->type, value->range, scalar);
  ir::Stmt& let = emit(ir::Stmt::What::Let, value->at);
  let.index = index;
  let.scalar = scalar;
  let.value = value;
  return local(index, value->at);
}

ir::ExprPtr Body::variable(int index) const {
  return written_.at({Slot::What::Variable, index, -1, ""}).value;
}

ir::ExprPtr Body::state(const std::string& name, Location at) {
  if (const auto found = written_.find({Slot::What::State, -1, -1, name}); found != written_.end()) {
    if (!found->second.always)
      throw Refusal{at, fmt::format("{} is not written on every path before it is read here", name)};
    return found->second.value;
  }
  ir::Expr e{};
  e.op = Op::State;
  e.type = pred_type();
  e.name = name;
  e.at = at;
  return std::make_shared<const ir::Expr>(std::move(e));
}

void Body::run(const front::BodyDecl& body, Evaluator& names) {
  in_lanes = form_.level != ir::Level::Warp;
  block(body.block, 0, names);
  if (failed_) return;
  for (std::size_t i = 0; i < form_.operands.size(); ++i) {
    const ir::Operand& operand = form_.operands[i];
    if (!operand.out || scattered_.count(static_cast<int>(i)) != 0) continue;
    const unsigned pieces = operand.count * operand.type.parts;
    for (unsigned piece = 0; piece < pieces; ++piece) {
      const int part = pieces == 1 ? -1 : static_cast<int>(piece);
      const auto found = written_.find({Slot::What::Operand, static_cast<int>(i), part, ""});
      if (found != written_.end() && found->second.always) continue;
      const std::string which = part < 0 ? "" : fmt::format(" (part {})", part);
      diagnostics_.error(body.at,
                         fmt::format("output {}{} is not written {}", operand.name, which,
                                     found == written_.end() ? "at all" : "on every path"),
                         "in " + form_.text());
      failed_ = true;
    }
  }
  if (!failed_) finish();
}

void Body::finish() {
  struct Store {
    Slot slot;
    ir::ExprPtr value;
  };
  std::vector<Store> stores;
  for (const auto& [slot, written] : written_) {
    if (slot.what == Slot::What::Variable || written.value->name == barrier_result_name) continue;
    const bool operand = slot.what == Slot::What::Operand;
    ir::ExprPtr value = written.value;
    if (!operand && !written.always) value = nullptr;
    if (operand) value = filtered(slot.index, value, value->at);
    stores.push_back({slot, value});
  }
  if (stores.size() > 1)
    for (Store& store : stores) {
      const bool safe = store.value->op == Op::Local || store.value->op == Op::Constant ||
                        store.value->op == Op::Unspecified;
      if (safe) continue;
      const bool scalar = form_.level == ir::Level::Warp && !varies(form_, *store.value);
      const int index = add_local("result", store.value->type, store.value->range, scalar);
      ir::Stmt& let = emit(ir::Stmt::What::Let, store.value->at);
      let.index = index;
      let.scalar = scalar;
      let.value = store.value;
      store.value = local(index, store.value->at);
    }
  for (const Store& store : stores) {
    const bool operand = store.slot.what == Slot::What::Operand;
    ir::Stmt& assign = emit(operand ? ir::Stmt::What::Assign : ir::Stmt::What::AssignState, store.value->at);
    assign.index = store.slot.index;
    assign.part = store.slot.part;
    assign.name = store.slot.name;
    assign.scalar = form_.level == ir::Level::Warp && !varies(form_, *store.value);
    assign.value = store.value;
  }
  prune(form_);
}

}  // namespace semcc::check
