#include "semcc/check/family/family.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "semcc/check/body/effects.h"
#include "semcc/check/body/operands.h"
#include "semcc/check/family/choices.h"
#include "semcc/check/types/sentence.h"
#include "semcc/ir/control.h"

namespace semcc::check {

using front::SetDecl;

namespace {

// Expressions share parts: each is looked at once.
bool leaves_open(const ir::ExprPtr& expr, std::set<const ir::Expr*>& seen) {
  if (!expr || !seen.insert(expr.get()).second) return false;
  return expr->op == ir::Op::Unspecified ||
         std::any_of(expr->args.begin(), expr->args.end(),
                     [&](const ir::ExprPtr& arg) { return leaves_open(arg, seen); });
}

}  // namespace

ir::Family FamilyChecker::run() {
  ir::Family family;
  family.name = instruction_.name;
  family.manual = instruction_.manual.value_or("");
  family.summary = instruction_.summary.value_or("");
  family.unspecified = instruction_.unspecified;
  family.source = instruction_.text;
  family.at = instruction_.at;
  const std::size_t before = diagnostics_.count();
  check_heading();
  check_shape();
  for (const front::FormDecl& form : instruction_.forms) {
    try {
      expand(form, family);
    } catch (const Refusal& refusal) {
      diagnostics_.error(refusal);
    }
  }
  for (const front::ExampleDecl& e : instruction_.examples)
    family.examples.push_back({e.instruction, e.expected, e.at});
  for (const front::ProveDecl& claim : instruction_.proofs) {
    try {
      prove(claim, family);
    } catch (const Refusal& refusal) {
      diagnostics_.error(refusal);
    }
  }
  legality_.report_useless(diagnostics_);
  traits_.report_useless(diagnostics_);
  if (diagnostics_.count() == before) {  // after a mistake these would be consequences
    report_unused();
    want_evidence(family);
    want_reason(family);
  }
  return family;
}

void FamilyChecker::check_heading() {
  if (!instruction_.manual)
    diagnostics_.error(instruction_.at, "a family names its section of the manual: manual \"9.7.…\";");
  if (!instruction_.summary)
    diagnostics_.error(instruction_.at, "a family says in a sentence what it does: summary \"…\";");
  else
    want_sentence(*instruction_.summary, instruction_.at, diagnostics_);
}

void FamilyChecker::check_shape() {
  if (instruction_.forms.empty()) diagnostics_.error(instruction_.at, "a family has at least one form");
  std::set<std::string> declared;
  for (const auto& operand : instruction_.operands) {
    if (!declared.insert(operand.name).second)
      diagnostics_.error(operand.at, fmt::format("operand {} is declared twice", operand.name));
    const bool used =
        std::any_of(instruction_.forms.begin(), instruction_.forms.end(), [&](const front::FormDecl& f) {
          return std::any_of(f.operands.begin(), f.operands.end(),
                             [&](const auto& ref) { return ref.name == operand.name; });
        });
    if (!used) diagnostics_.error(operand.at, fmt::format("no form has the operand {}", operand.name));
  }
  check_bodies();
}

void FamilyChecker::check_bodies() {
  std::set<std::string> bodies;
  const auto check = [&](std::vector<std::string> forms, ir::Location at) {
    if (forms.empty()) forms.push_back("");
    for (const std::string& name : forms) {
      if (!bodies.insert(name).second)
        diagnostics_.error(at, name.empty() ? "a second body for the forms without a name"
                                            : fmt::format("form {} has two bodies", name));
      const bool exists = std::any_of(instruction_.forms.begin(), instruction_.forms.end(),
                                      [&](const auto& f) { return f.name == name; });
      if (!exists)
        diagnostics_.error(
            at, name.empty() ? "no form is without a name" : fmt::format("no form is called {}", name));
    }
    if (!instruction_.control.empty())
      diagnostics_.error(at, "a family with `control` or `nothing` has no body");
  };
  const std::string& control = instruction_.control;
  if (!control.empty() && control != "nothing" &&
      std::ranges::find(ir::controls, control) == std::end(ir::controls))
    diagnostics_.error(instruction_.control_at, fmt::format("{} is no control flow; there is {}", control,
                                                            fmt::join(ir::controls, ", ")));
  for (const auto& body : instruction_.bodies) check(body.forms, body.at);
  for (const auto& refused : instruction_.refused) check(refused.forms, refused.at);
}

namespace {

// Of bodies or refusals, the one that speaks of the form.
template <class Parts>
auto part_of(const Parts& parts, const front::FormDecl& form) {
  const auto found = std::find_if(parts.begin(), parts.end(), [&](const auto& part) {
    return form.name.empty() ? part.forms.empty()
                             : std::find(part.forms.begin(), part.forms.end(), form.name) != part.forms.end();
  });
  return found == parts.end() ? nullptr : &*found;
}

}  // namespace

void FamilyChecker::expand(const front::FormDecl& declaration, ir::Family& family) {
  std::size_t legal = 0;
  for (Choice& choice : choices(declaration, scope_)) {
    if (!legality_.allows(choice.bound, declaration.name, choice.since)) continue;
    ++legal;
    ir::Form form;
    form.family = instruction_.name;
    form.form_name = declaration.name;
    form.since = choice.since;
    form.at = declaration.at;
    for (const std::string& note : instruction_.notes) form.note += (form.note.empty() ? "" : " ") + note;
    spell(declaration, choice.bound, form);
    traits_.fill(choice.bound, form);
    fill(declaration, choice.bound, form);
    family.forms.push_back(std::move(form));
  }
  if (legal == 0) throw Refusal{declaration.at, "no combination of this form's modifiers is legal"};
}

// The words of the instruction under this choice.
void FamilyChecker::spell(const front::FormDecl& declaration, const Bound& bound, ir::Form& form) {
  form.opcode = declaration.opcode;
  for (const auto& suffix : declaration.suffixes) {
    std::string word = suffix.word;
    if (const auto set = scope_.sets.find(suffix.word); set != scope_.sets.end()) {
      if (set->second->kind == SetDecl::Kind::Hint) {
        std::vector<std::string> group;
        for (const auto& member : set->second->members) group.push_back(member.word);
        form.hints.push_back(std::move(group));
        continue;
      }
      const Value& value = bound.at(suffix.word);
      word = value.is(Value::What::Type) ? value.type.name() : value.word;
      if (word.empty()) continue;
    } else if (const auto alias = scope_.aliases.find(suffix.word); alias != scope_.aliases.end()) {
      Evaluator names(scope_, bound, form.form_name, mentioned_);
      word = names.type(*alias->second->type).name();
    } else if (suffix.optional) {  // a word of the syntax that changes nothing
      form.hints.push_back({suffix.word});
      continue;
    }
    form.modifiers.push_back(word);
    form.is_type.push_back(ir::is_type_word(word));
  }
  for (const auto& [name, value] : bound)
    form.bound[name] = value.is(Value::What::Type) ? value.type.name() : value.word;
}

void FamilyChecker::fill(const front::FormDecl& declaration, const Bound& bound, ir::Form& form) {
  Evaluator outside(scope_, bound, form.form_name, mentioned_);
  FormOperands operands = operands_of(instruction_, declaration, outside);
  form.operands = operands.list;
  if (!instruction_.control.empty()) {
    form.level = ir::Level::Control;
    form.control = instruction_.control;
    return;
  }
  if (const auto* refused = part_of(instruction_.refused, declaration)) {
    form.level = ir::Level::Control;
    form.control = "refused";
    form.refused = refused->why;
    return;
  }
  const front::BodyDecl* source = part_of(instruction_.bodies, declaration);
  if (!source)
    throw Refusal{declaration.at, declaration.name.empty()
                                      ? "this form has no body"
                                      : fmt::format("form {} has no body", declaration.name)};
  using Level = front::BodyDecl::Level;
  form.level = source->level == Level::Thread ? ir::Level::Thread
               : source->level == Level::Warp ? ir::Level::Warp
                                              : ir::Level::Cta;
  form.effects.aligned = source->aligned;
  Body body(form, std::move(operands.filters), diagnostics_);
  Evaluator names(scope_, bound, form.form_name, mentioned_, &body);
  for (std::size_t i = 0; i < form.operands.size(); ++i) {
    names.define(form.operands[i].name, Value::operand(static_cast<int>(i)));
    const std::string& name = form.operands[i].name;
    if (name == source->sync || name == source->until) form.sync_operand = static_cast<int>(i);
  }
  const std::string& wanted = source->sync.empty() ? source->until : source->sync;
  if (!wanted.empty() && form.sync_operand < 0)
    throw Refusal{source->at, fmt::format("the form has no operand {}", wanted)};
  form.effects.warp_sync = !source->sync.empty();
  form.effects.waits = !source->until.empty();
  if (form.effects.waits) {
    const ir::Operand& result = form.operands[static_cast<std::size_t>(form.sync_operand)];
    if (!result.out || result.kind != ir::OperandKind::Predicate)
      throw Refusal{source->at, fmt::format("{} is no predicate that is written", wanted)};
  }
  body.run(*source, names);
  derive_effects(form);
}

void FamilyChecker::report_unused() {
  std::set<std::string> written;
  for (const auto& form : instruction_.forms) {
    const bool refused = part_of(instruction_.refused, form) != nullptr;
    for (const std::string& name : sets_in(form, scope_)) written.insert(name);
    for (const auto& suffix : form.suffixes) {
      const auto set = scope_.sets.find(suffix.word);
      if (set == scope_.sets.end()) continue;
      written.insert(suffix.word);
      // One word only, always there (add.sat) or named by `with` (add{.rnd} with rnd = rn): part of the
      // spelling.
      const bool fixed = std::any_of(form.bindings.begin(), form.bindings.end(), [&](const auto& b) {
        return b.name == suffix.word && b.members.size() == 1 && !scope_.sets.count(b.members[0].word);
      });
      const bool literal = fixed || (!suffix.optional && set->second->members.size() == 1);
      // What a refused form's words mean is not said.
      const bool says_nothing = !refused && set->second->kind != SetDecl::Kind::Hint && !literal;
      if (says_nothing && !mentioned_.count(suffix.word))
        diagnostics_.error(
            suffix.at,
            fmt::format("nothing depends on the modifier {}: declare its words as a hint", suffix.word));
    }
  }
  for (const auto& set : instruction_.sets)
    if (!written.count(set.name) && !mentioned_.count(set.name))
      diagnostics_.error(set.at, fmt::format("no form uses the set {}", set.name));
}

// A family that computes shows at least one result. Memory, other lanes and barriers cannot be shown in one
// line.
void FamilyChecker::want_evidence(const ir::Family& family) {
  const bool computes = std::any_of(family.forms.begin(), family.forms.end(), [](const ir::Form& f) {
    const ir::Effects& e = f.effects;
    const bool outside = e.reads_memory || e.writes_memory || e.updates_memory || e.fence;
    const bool special = std::any_of(f.body.begin(), f.body.end(),
                                     [](const ir::Stmt& s) { return s.what == ir::Stmt::What::Prefetch; });
    return f.level == ir::Level::Thread && !outside && !special;
  });
  if (computes && family.examples.empty() && family.proofs.empty())
    diagnostics_.error(instruction_.at, "a family that computes shows an `example` or has a `prove`");
}

// A result that is left open is masked wherever results are compared: nobody does that without a reason.
void FamilyChecker::want_reason(const ir::Family& family) {
  bool open = false;
  for (const ir::Form& form : family.forms) {
    std::set<const ir::Expr*> seen;
    for (const ir::Stmt& stmt : form.body) open = open || leaves_open(stmt.value, seen);
  }
  if (open == family.unspecified.empty())
    diagnostics_.error(instruction_.at,
                       open ? "a family that leaves results open says when and why: unspecified \"…\";"
                            : "no form leaves a result open");
}

}  // namespace semcc::check
