#include "semcc/emit/forms_accesses.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace semcc::emit {
namespace {

struct Access {
  unsigned read = 0, written = 0, updated = 0;  // bytes
};

// The address operand an address is computed from; -1 if there is none.
int address_operand(const ir::Form& form, const ir::ExprPtr& expr) {
  if (expr == nullptr) return -1;
  if (expr->op == ir::Op::Operand && form.operands.at(expr->index).kind == ir::OperandKind::Address)
    return expr->index;
  if (expr->op == ir::Op::Local)
    for (const ir::Stmt& stmt : form.body)
      if (stmt.what == ir::Stmt::What::Let && stmt.index == expr->index && stmt.value != expr)
        return address_operand(form, stmt.value);
  for (const ir::ExprPtr& arg : expr->args)
    if (const int found = address_operand(form, arg); found >= 0) return found;
  return -1;
}

std::map<int, Access> accesses(const ir::Form& form) {
  std::map<int, Access> found;
  for (const ir::Stmt& stmt : form.body) {
    const bool write = stmt.what == ir::Stmt::What::MemoryWrite;
    const bool let = stmt.what == ir::Stmt::What::Let && stmt.value != nullptr;
    const bool read = let && stmt.value->op == ir::Op::MemoryRead;
    const bool update = let && stmt.value->op == ir::Op::MemoryUpdate;
    if (!read && !write && !update) continue;
    const int operand = address_operand(form, stmt.address);
    if (operand < 0) continue;
    Access& access = found[operand];
    (read ? access.read : write ? access.written : access.updated) += (stmt.type.bits() + 7) / 8;
  }
  return found;
}

}  // namespace

std::string emit_accesses(const std::vector<const ir::Form*>& forms) {
  std::string rows, firsts;
  unsigned count = 0;
  for (const ir::Form* form : forms) {
    firsts += fmt::format("{},\n", count);
    for (const auto& [operand, a] : accesses(*form)) {
      rows += fmt::format("{{{}, {}, {}, {}, {}}},\n", operand, std::max({a.read, a.written, a.updated}),
                          a.read != 0, a.written != 0, a.updated != 0);
      ++count;
    }
  }
  return fmt::format(
      "namespace {{\nconstexpr FormAccess accesses[] = {{\n{}{{}}}};\nconstexpr std::uint32_t first_access[] "
      "= "
      "{{\n{}{}}};\n}}  // namespace\n\n"
      "std::span<const FormAccess> accesses_of(const Form& form) {{\n"
      "  const auto index = static_cast<std::size_t>(&form - all_forms().data());\n"
      "  return {{accesses + first_access[index], accesses + first_access[index + 1]}};\n}}\n\n",
      rows, firsts, count);
}

}  // namespace semcc::emit
