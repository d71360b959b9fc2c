#include "semcc/emit/manual/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace semcc::emit {
namespace {

void add(std::vector<std::string>& list, const std::string& text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
}

// What a requirement is about.
struct Subject {
  bool values = false;  // of registers or memory, not only immediates
  bool lanes = false;   // who executes: active.mask, membermask.bit(lane)
};

// Expressions share parts: each is looked at once.
void look(const ir::Form& form, const ir::ExprPtr& expr, std::set<const ir::Expr*>& seen, Subject& subject) {
  using ir::Op;
  if (!expr || !seen.insert(expr.get()).second) return;
  if (expr->op == Op::ActiveMask || expr->op == Op::Lane) subject.lanes = true;
  if (expr->op == Op::MemoryRead || expr->op == Op::MemoryUpdate) subject.values = true;
  if ((expr->op == Op::Operand || expr->op == Op::PredMask) &&
      form.operands[static_cast<std::size_t>(expr->index)].kind != ir::OperandKind::Immediate)
    subject.values = true;
  if (expr->op == Op::Local)
    for (const ir::Stmt& stmt : form.body) {
      if (stmt.index != expr->index) continue;
      if (stmt.what == ir::Stmt::What::Let) look(form, stmt.value, seen, subject);
      if (stmt.what == ir::Stmt::What::Transfer) subject.values = true;
    }
  for (const ir::ExprPtr& arg : expr->args) look(form, arg, seen, subject);
}

bool is_rule(const ir::Form& form, const ir::Stmt& require) {
  std::set<const ir::Expr*> seen;
  Subject subject;
  look(form, require.value, seen, subject);
  return subject.lanes || !subject.values;
}

std::string level_of(const ir::Form& form) {
  switch (form.level) {
    case ir::Level::Thread:
      return "each lane by itself";
    case ir::Level::Warp:
      return "the lanes executing together";
    case ir::Level::Cta:
      return "the CTA";
    case ir::Level::Control:
      break;
  }
  if (form.control == "refused") return "parsed and typed, not run: " + form.refused;
  return form.control == "nothing" ? "no result depends on it" : "control flow";
}

void effects_of(const ir::Form& form, std::vector<std::string>& into) {
  const ir::Effects& effects = form.effects;
  const std::pair<bool, const char*> all[] = {
      {effects.reads_memory, "reads memory"},
      {effects.writes_memory, "writes memory"},
      {effects.updates_memory, "updates memory, as one step for all others"},
      {effects.ordered, "its result depends on who comes first"},
      {effects.warp_sync, "waits for the lanes that its mask names"},
      {effects.barrier, "waits for, or arrives at, a barrier"},
      {effects.fence, "orders accesses to memory"},
      {effects.reads_state, "reads the carry flag"},
      {effects.writes_state, "writes the carry flag"},
      {effects.waits, "may wait"},
      {effects.reads_other_lanes, "reads registers of other lanes"}};
  add(into, level_of(form));
  for (const auto& [is, text] : all)
    if (is) add(into, text);
}

}  // namespace

Rules rules_of(const ir::Family& family) {
  Rules found;
  for (const ir::Form& form : family.forms) {
    const ir::Effects& effects = form.effects;
    for (const ir::Stmt& stmt : form.body) {
      if (stmt.mode == "trap") add(found.faults, "with .trap, a place outside of the surface");
      if (stmt.what != ir::Stmt::What::Require) continue;
      add(is_rule(form, stmt) ? found.rules : found.faults, stmt.text);
    }
    if (effects.warp_sync) {
      add(found.rules, "the mask names every lane that executes it");
      add(found.faults,
          "the mask does not name a lane that executes it, and names others that are elsewhere: illegal "
          "instruction");
    }
    if (effects.aligned && found.rules.empty()) add(found.rules, "all lanes of the warp execute it together");
    const bool handle =
        std::any_of(form.operands.begin(), form.operands.end(), [](const ir::Operand& operand) {
          return operand.space == ir::Space::Texture || operand.space == ir::Space::Surface;
        });
    if (handle)
      add(found.faults, "a handle of no texture or surface");
    else if (effects.reads_memory || effects.writes_memory || effects.updates_memory)
      add(found.faults, "memory that is not there: out of bounds, freed, null");
    if (effects.waits || effects.barrier || effects.warp_sync)
      add(found.faults, "nobody comes who is waited for: a deadlock");
    if (form.control == "trap" || form.control == "breakpoint") add(found.faults, "always");
    effects_of(form, found.effects);
  }
  return found;
}

}  // namespace semcc::emit
