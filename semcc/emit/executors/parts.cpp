#include "semcc/emit/executors/parts.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "semcc/emit/executors/plan.h"

namespace semcc::emit {
namespace {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using ir::Stmt;

// Parts of every operand, or 0 if they differ or there is something else than packed registers.
unsigned parts_of(const ir::Form& form) {
  unsigned parts = 0;
  for (const ir::Operand& operand : form.operands) {
    const bool plain =
        operand.kind == ir::OperandKind::Register || operand.kind == ir::OperandKind::Immediate;
    if (!plain || operand.count != 1 || operand.type.kind == ir::Kind::Pred) return 0;
    if (parts != 0 && operand.type.parts != parts) return 0;
    parts = operand.type.parts;
  }
  return parts > 1 ? parts : 0;
}

class Parts {
 public:
  Parts(const ir::Form& form, unsigned parts) : form_(form), statements_(parts) {}

  bool alike() {
    for (const Stmt& statement : form_.body)
      if (!place(statement)) return false;
    for (std::size_t part = 1; part < statements_.size(); ++part)
      if (!alike(part)) return false;
    return true;
  }
  std::vector<Stmt> first() const {
    std::vector<Stmt> body;
    for (const Stmt* statement : statements_.front()) body.push_back(*statement);
    return body;
  }

 private:
  // Gives the statement to the one part it deals with.
  bool place(const Stmt& statement) {
    const bool let = statement.what == Stmt::What::Let;
    if ((!let && statement.what != Stmt::What::Assign) || statement.address || statement.scalar) return false;
    std::set<int> seen;
    if (!let) seen.insert(statement.part);
    bool known = true;
    Visited visited;
    walk(statement, visited, [&](const Expr& expr) {
      if (expr.op == Op::Operand) seen.insert(expr.args.empty() ? expr.part : -1);
      if (expr.op == Op::Local) seen.insert(part_of_.count(expr.index) != 0 ? part_of_.at(expr.index) : -1);
      known &= expr.op != Op::Lane && expr.op != Op::State && expr.op != Op::Special &&
               expr.op != Op::PredMask && expr.op != Op::ActiveMask && expr.op != Op::MemoryRead;
    });
    if (!known || seen.size() != 1 || *seen.begin() < 0) return false;
    const int part = *seen.begin();
    if (let) part_of_[statement.index] = part;
    statements_.at(static_cast<std::size_t>(part)).push_back(&statement);
    return true;
  }

  bool alike(std::size_t part) {
    const auto& first = statements_.front();
    const auto& other = statements_[part];
    locals_.clear();
    same_.clear();
    return std::equal(
        first.begin(), first.end(), other.begin(), other.end(), [&](const Stmt* a, const Stmt* b) {
          const bool same = a->what == b->what && alike(a->value, b->value);
          if (a->what == Stmt::What::Let) {
            locals_[a->index] = b->index;
            return same && form_.locals.at(static_cast<std::size_t>(a->index))
                               .range.contains(form_.locals.at(static_cast<std::size_t>(b->index)).range);
          }
          return same && a->index == b->index;
        });
  }

  bool alike(const ExprPtr& a, const ExprPtr& b) {
    if (same_.count({a.get(), b.get()}) != 0) return true;
    const bool place = a->op == Op::Local ? locals_.count(a->index) != 0 && locals_.at(a->index) == b->index
                                          : a->index == b->index;
    const bool same = a->op == b->op && a->type == b->type && place && a->constant == b->constant &&
                      a->high == b->high && a->low == b->low && a->rounding == b->rounding &&
                      a->reduce == b->reduce && a->name == b->name &&
                      std::equal(a->args.begin(), a->args.end(), b->args.begin(), b->args.end(),
                                 [&](const ExprPtr& x, const ExprPtr& y) { return alike(x, y); });
    if (same) same_.insert({a.get(), b.get()});
    return same;
  }

  const ir::Form& form_;
  std::vector<std::vector<const Stmt*>> statements_;  // by part
  std::map<int, int> part_of_;                        // local: its part
  std::map<int, int> locals_;                         // local of part 0: the one of the part compared with
  std::set<std::pair<const Expr*, const Expr*>> same_;
};

}  // namespace

std::optional<PartForm> one_part(const ir::Form& form) {
  const unsigned parts = parts_of(form);
  if (parts == 0) return std::nullopt;
  Parts of(form, parts);
  if (!of.alike()) return std::nullopt;
  PartForm result{form, parts};
  for (ir::Operand& operand : result.form.operands) operand.type.parts = 1;
  result.form.body = of.first();
  return result;
}

}  // namespace semcc::emit
