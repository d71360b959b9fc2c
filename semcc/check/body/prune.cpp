#include "semcc/check/body/prune.h"

#include <algorithm>

namespace semcc::check {
namespace {

// Without a use of its answer it does nothing.
bool only_asks(const ir::Stmt& s) {
  return s.what == ir::Stmt::What::Transfer &&
         (s.name == "texture_read" || s.name == "texture_query" || s.name == "surface_query");
}

}  // namespace

void prune(ir::Form& form) {
  std::vector<bool> used(form.locals.size(), false);
  std::vector<ir::Stmt> kept;
  for (auto s = form.body.rbegin(); s != form.body.rend(); ++s) {
    const bool memory =
        s->value && (s->value->op == ir::Op::MemoryRead || s->value->op == ir::Op::MemoryUpdate);
    const bool let = s->what == ir::Stmt::What::Let;
    if (s->what == ir::Stmt::What::Transfer && s->index >= 0 && !used[static_cast<std::size_t>(s->index)]) {
      if (only_asks(*s)) continue;
      s->index = -1;
    }
    if (let && !used[static_cast<std::size_t>(s->index)]) {
      if (!memory) continue;
      s->index = -1;
    }
    each_expr(*s, [&](const ir::Expr& e) {
      if (e.op == ir::Op::Local) used[static_cast<std::size_t>(e.index)] = true;
    });
    kept.push_back(std::move(*s));
  }
  std::reverse(kept.begin(), kept.end());
  form.body = std::move(kept);
}

}  // namespace semcc::check
