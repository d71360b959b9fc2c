#include "semcc/emit/forms/work.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

namespace semcc::emit {
namespace {

struct Work {
  std::map<std::string, unsigned> operations;  // by format; "integer": of matrices of integers
  std::set<const ir::Expr*> seen;              // a value that is used twice is computed once
  std::set<int> used;                          // locals

  // Exact sums and products that are rounded together.
  static unsigned exact_operations(const ir::Expr& expr) {
    unsigned count = 0;
    switch (expr.op) {
      case ir::Op::RealAdd:
      case ir::Op::RealSub:
      case ir::Op::RealMul:
      case ir::Op::RealDiv:
      case ir::Op::RealSqrt:
        count = 1;
        break;
      case ir::Op::RealFma:
        count = 2;
        break;
      default:
        return 0;
    }
    for (const ir::ExprPtr& arg : expr.args) count += exact_operations(*arg);
    return count;
  }
  // What is computed `times` times. What only decides between two values is none of an instruction's
  // operations.
  void add(const ir::ExprPtr& expr, unsigned times) {
    if (expr == nullptr || !seen.insert(expr.get()).second) return;
    if (expr->op == ir::Op::Local) used.insert(expr->index);
    if (expr->op == ir::Op::Round && expr->type.kind == ir::Kind::Float)
      if (const unsigned count = exact_operations(*expr->args.at(0)))
        operations[ir::format_name(expr->type.format)] += times * count;
    for (std::size_t i = expr->op == ir::Op::Select ? 1 : 0; i < expr->args.size(); ++i)
      add(expr->args[i], times);
  }
  void multiply(const ir::Form& form, const ir::Stmt& stmt) {
    const auto matrix = [&](int which) {
      return form.matrices.at(static_cast<std::size_t>(stmt.matrices.at(static_cast<std::size_t>(which))));
    };
    const ir::Matrix a = matrix(0), b = matrix(1);
    const bool is_float = a.type.kind == ir::Kind::Float;
    operations[is_float ? ir::format_name(a.type.format) : "integer"] += 2 * a.rows * a.columns * b.columns;
  }
};

Work work(const ir::Form& form) {
  Work work;
  for (const ir::Stmt& stmt : form.body)
    if (stmt.what == ir::Stmt::What::Multiply) work.multiply(form, stmt);
  if (!work.operations.empty())
    return work;  // what brings sums into their final format is no operation of its own
  for (auto at = form.body.rbegin(); at != form.body.rend(); ++at) {
    const ir::Stmt& stmt = *at;
    const bool pure = stmt.what == ir::Stmt::What::Let && stmt.value->op != ir::Op::MemoryUpdate;
    if (pure && work.used.count(stmt.index) == 0) continue;
    unsigned times = 1;
    if (stmt.what == ir::Stmt::What::Each) {
      const ir::Matrix& matrix = form.matrices.at(static_cast<std::size_t>(stmt.index));
      times = matrix.rows * matrix.columns;
    }
    for (const ir::ExprPtr& expr : {stmt.guard, stmt.address, stmt.value}) work.add(expr, times);
    for (const ir::ExprPtr& expr : stmt.args) work.add(expr, times);
  }
  return work;
}

}  // namespace

std::string emit_work(const std::vector<const ir::Form*>& forms) {
  std::string rows, firsts;
  unsigned count = 0;
  for (const ir::Form* form : forms) {
    firsts += fmt::format("{},\n", count);
    for (const auto& [format, operations] : work(*form).operations) {
      rows += fmt::format("{{\"{}\", {}, {}}},\n", format, operations, form->level == ir::Level::Warp);
      ++count;
    }
  }
  return fmt::format(
      "namespace {{\nconstexpr FormWork work[] = {{\n{}{{}}}};\nconstexpr std::uint32_t first_work[] = "
      "{{\n{}{}}};\n}}  // namespace\n\n"
      "std::span<const FormWork> work_of(const Form& form) {{\n"
      "  const auto index = static_cast<std::size_t>(&form - all_forms().data());\n"
      "  return {{work + first_work[index], work + first_work[index + 1]}};\n}}\n\n",
      rows, firsts, count);
}

}  // namespace semcc::emit
