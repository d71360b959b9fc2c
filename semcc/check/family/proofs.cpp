// `prove` claims: one for every choice of their parameters' types.
#include <fmt/format.h>

#include "semcc/check/body/body.h"
#include "semcc/check/family/family.h"
#include "semcc/check/types/types.h"

namespace semcc::check {

void FamilyChecker::prove(const front::ProveDecl& claim, ir::Family& family) {
  // Sets of types the claim mentions are bound in turn.
  std::vector<Bound> bounds(1);
  for (const front::Param& p : claim.params) {
    if (!p.type) throw Refusal{p.at, "a parameter of a claim needs a type"};
    const auto set =
        p.type->what == front::Expr::What::Name ? scope_.sets.find(p.type->text) : scope_.sets.end();
    if (set == scope_.sets.end() || bounds[0].count(p.type->text)) continue;
    std::vector<Bound> next;
    for (const Bound& bound : bounds)
      for (const front::Member& member : set->second->members) {
        Bound more = bound;
        more[p.type->text] = Value::of_type(*type_named(member.word));
        next.push_back(std::move(more));
      }
    bounds = std::move(next);
  }
  for (const Bound& bound : bounds) {
    ir::Form form;
    form.family = instruction_.name;
    Body body(form, {}, diagnostics_);
    body.in_lanes = true;
    body.no_locals = 1;
    Evaluator names(scope_, bound, form.form_name, mentioned_, &body);
    ir::Prove result;
    result.name = claim.name;
    result.at = claim.at;
    for (const front::Param& p : claim.params) {
      const ir::Type type = names.type(*p.type);
      ir::Expr e{};
      e.op = ir::Op::Local;
      e.type = type;
      e.range = ir::range_of(type);
      e.index = static_cast<int>(result.params.size());
      e.at = p.at;
      names.define(p.name, Value::number(std::make_shared<const ir::Expr>(std::move(e))));
      result.params.emplace_back(p.name, type);
    }
    result.claim = names.number(*claim.claim);
    build::want_pred(result.claim, "a claim");
    family.proofs.push_back(std::move(result));
  }
}

}  // namespace semcc::check
