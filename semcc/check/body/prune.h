// Removes what nobody uses from a finished body.
#pragma once
#include <set>

#include "semcc/ir/form.h"

namespace semcc::check {

// Memory accesses stay: they may fault.
void prune(ir::Form& form);

// Calls visit(expr) for every distinct node of the statement.
template <class Visit>
void each_expr(const ir::ExprPtr& e, std::set<const ir::Expr*>& seen, const Visit& visit) {
  if (!e || !seen.insert(e.get()).second) return;
  visit(*e);
  for (const auto& arg : e->args) each_expr(arg, seen, visit);
}
template <class Visit>
void each_expr(const ir::Stmt& s, const Visit& visit) {
  std::set<const ir::Expr*> seen;
  each_expr(s.guard, seen, visit);
  each_expr(s.address, seen, visit);
  each_expr(s.value, seen, visit);
  for (const auto& arg : s.args) each_expr(arg, seen, visit);
}

}  // namespace semcc::check
