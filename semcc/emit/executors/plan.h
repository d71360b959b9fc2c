// How a body is cut into pieces: loops over the lanes, things done once per warp, and calls that serve all
// lanes at once.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "semcc/ir/form.h"

namespace semcc::emit {

struct Piece {
  enum class What { Lanes, Once, Read, Write, Update, Transfer, Fence, Barrier, Matrix } what;
  std::vector<const ir::Stmt*> statements;  // Read, Write: one per vector element; consecutive addresses
};

// Assignments come last: a body reads operands as they were before it, even if `d` is the same register as
// `a`.
std::vector<Piece> plan(const ir::Form& form);

// True for a requirement that the address of the access is a multiple of what each lane accesses.
bool says_aligned(const ir::Stmt& requirement, const Piece& access);

// True for an alignment requirement that the memory access after it checks anyway: the access reports it with
// the address.
bool checked_by_access(const ir::Stmt& requirement, const std::vector<Piece>& pieces);

// Locals that are read from memory only to become whole output rows, with the row's operand and element;
// empty unless the body assigns nothing else. With all lanes running, such a read can go straight to the row.
std::map<int, std::pair<int, int>> direct_rows(const ir::Form& form, const std::vector<Piece>& pieces);

// True if some lane reads what belongs to another: then results are kept apart until every lane has read.
bool crosses_lanes(const ir::Form& form);

// Which row of a vector, and which packed part in it (-1: the whole word), `part` of an expression or
// assignment means.
struct Place {
  int element = 0, part = -1;
};
Place place_of(const ir::Operand& operand, int part);

// A text equal for structurally equal expressions.
std::string structure(const ir::Expr& expr);

using Visited = std::set<const ir::Expr*>;

// Calls visit(expr) once for every use of a node below and including the root, parents first. What lies below
// a shared node is walked once: inlining makes trees whose unshared size is exponential.
template <class Visit>
void walk(const ir::ExprPtr& expr, Visited& visited, const Visit& visit) {
  if (!expr) return;
  visit(*expr);
  if (!visited.insert(expr.get()).second) return;
  for (const ir::ExprPtr& arg : expr->args) walk(arg, visited, visit);
}
template <class Visit>
void walk(const ir::Stmt& statement, Visited& visited, const Visit& visit) {
  walk(statement.guard, visited, visit);
  walk(statement.address, visited, visit);
  walk(statement.value, visited, visit);
  for (const ir::ExprPtr& arg : statement.args) walk(arg, visited, visit);
}

}  // namespace semcc::emit
