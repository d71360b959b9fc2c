#include "semcc/emit/facts/synchronization.h"

namespace semcc::emit {

Synchronization synchronization_of(const ir::Form& form) {
  Synchronization found;
  found.waits = form.effects.waits;
  for (const ir::Stmt& stmt : form.body) {
    if (stmt.what != ir::Stmt::What::Barrier) continue;
    found.cluster = stmt.name.starts_with("cluster_");
    found.arrives = stmt.name != "cluster_wait";
    found.waits = !stmt.name.ends_with("arrive");
  }
  return found;
}

}  // namespace semcc::emit
