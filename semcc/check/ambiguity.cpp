#include "semcc/check/ambiguity.h"

#include <fmt/format.h>

#include <map>

namespace semcc::check {
namespace {

using ir::Form;
using ir::Operand;
using ir::OperandKind;

bool both_accept(const Operand& a, const Operand& b) {
  const auto value = [](const Operand& o) { return o.kind == OperandKind::Register || o.kind == OperandKind::Immediate; };
  if (value(a) && value(b)) return true;
  return a.kind == b.kind && a.count == b.count;
}

// Whether some operand list fits both. `|q` belongs to the operand before it; {, b} may be missing.
bool both_accept(const std::vector<Operand>& a, std::size_t i, const std::vector<Operand>& b, std::size_t j) {
  const bool end_a = i == a.size(), end_b = j == b.size();
  if (end_a && end_b) return true;
  if (!end_a && a[i].optional && both_accept(a, i + 1, b, j)) return true;
  if (!end_b && b[j].optional && both_accept(a, i, b, j + 1)) return true;
  return !end_a && !end_b && a[i].paired == b[j].paired && both_accept(a[i], b[j]) && both_accept(a, i + 1, b, j + 1);
}

std::string place(const Form& form, const ir::Program& program) {
  return fmt::format("{}:{}", program.files[static_cast<std::size_t>(form.at.file)], form.at.line);
}

}  // namespace

void report_ambiguities(const ir::Program& program, front::Diagnostics& diagnostics) {
  std::map<std::string, std::vector<const Form*>> by_key;
  for (const auto& family : program.families)
    for (const Form& form : family.forms) {
      auto& same = by_key[form.key()];
      for (const Form* other : same)
        if (both_accept(form.operands, 0, other->operands, 0)) {
          diagnostics.error(form.at, fmt::format("{} is a form already, at {}", form.text(), place(*other, program)));
          break;
        }
      same.push_back(&form);
    }
}

}  // namespace semcc::check
