#include "semcc/check/family/legal.h"

#include "semcc/check/types/since.h"

namespace semcc::check {
namespace {

// A rule about a set of types says nothing of a form that has no such type.
bool applies(const front::Expr& e, const Scope& scope, const Bound& bound) {
  const bool names = e.what == front::Expr::What::Name || e.what == front::Expr::What::Member;
  if (names) {
    const auto set = scope.sets.find(e.text);
    const bool types = set != scope.sets.end() && set->second->kind == front::SetDecl::Kind::Types;
    if (types && !bound.count(e.text)) return false;
  }
  for (const auto& arg : e.args)
    if (!applies(*arg, scope, bound)) return false;
  return true;
}

}  // namespace

bool Legality::allows(const Bound& bound, const std::string& form_name, ir::Since& since) {
  bool legal = true;
  for (std::size_t i = 0; i < instruction_.legal.size(); ++i) {
    const front::LegalDecl& rule = instruction_.legal[i];
    if (!applies(*rule.rule, scope_, bound) || (rule.when && !applies(*rule.when, scope_, bound))) continue;
    Evaluator names(scope_, bound, form_name, mentioned_);
    if (rule.when && !names.decide(*rule.when)) continue;
    names.needed.clear();
    const bool holds = names.decide(*rule.rule);
    ++(holds ? seen_[i].allowed : seen_[i].excluded);
    if (!holds) {
      legal = false;
      continue;
    }
    for (const auto& needed : names.needed) {
      seen_[i].adds_availability = true;
      if (!narrow(since, needed)) legal = false;
    }
  }
  return legal;
}

void Legality::report_useless(front::Diagnostics& diagnostics) const {
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    const front::LegalDecl& rule = instruction_.legal[i];
    if (seen_[i].excluded + seen_[i].allowed == 0)
      diagnostics.error(rule.at, "this rule speaks of no form");
    else if (seen_[i].excluded == 0 && !seen_[i].adds_availability)
      diagnostics.error(rule.at, "this rule excludes nothing: no form breaks it");
    else if (seen_[i].allowed == 0)
      diagnostics.error(rule.at, "this rule excludes everything it speaks of: no form obeys it");
  }
}

}  // namespace semcc::check
