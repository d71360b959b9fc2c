// Removes what nobody uses from a finished body.
#pragma once
#include "semcc/ir/form.h"

namespace semcc::check {

// Memory accesses stay: they may fault.
void prune(ir::Form& form);

// Calls visit(expr) for every distinct node of the statement.
template <class Visit>
void each_expr(const ir::ExprPtr& e, const Visit& visit) {
  if (!e) return;
  visit(*e);
  for (const auto& arg : e->args) each_expr(arg, visit);
}
template <class Visit>
void each_expr(const ir::Stmt& s, const Visit& visit) {
  each_expr(s.guard, visit);
  each_expr(s.address, visit);
  each_expr(s.value, visit);
  for (const auto& arg : s.args) each_expr(arg, visit);
}

}  // namespace semcc::check
