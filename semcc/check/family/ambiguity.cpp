#include "semcc/check/family/ambiguity.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace semcc::check {
namespace {

using ir::Form;
using ir::Operand;
using ir::OperandKind;

bool both_accept(const Operand& a, const Operand& b) {
  const auto value = [](const Operand& o) {
    return o.kind == OperandKind::Register || o.kind == OperandKind::Immediate;
  };
  if (value(a) && value(b)) return true;
  return a.kind == b.kind && a.count == b.count;
}

// Whether some operand list fits both. `|q` belongs to the operand before it; {, b} may be missing.
bool both_accept(const std::vector<Operand>& a, std::size_t i, const std::vector<Operand>& b, std::size_t j) {
  const bool end_a = i == a.size(), end_b = j == b.size();
  if (end_a && end_b) return true;
  if (!end_a && a[i].optional && both_accept(a, i + 1, b, j)) return true;
  if (!end_b && b[j].optional && both_accept(a, i, b, j + 1)) return true;
  return !end_a && !end_b && a[i].paired == b[j].paired && both_accept(a[i], b[j]) &&
         both_accept(a, i + 1, b, j + 1);
}

std::string place(const Form& form, const ir::Program& program) {
  return fmt::format("{}:{}", program.files[static_cast<std::size_t>(form.at.file)], form.at.line);
}

using ByKey = std::map<std::string, std::vector<const Form*>>;

const Form* same_instruction(const Form& form, const std::string& key, const ByKey& forms) {
  const auto found = forms.find(key);
  if (found == forms.end()) return nullptr;
  for (const Form* other : found->second)
    if (other != &form && both_accept(form.operands, 0, other->operands, 0)) return other;
  return nullptr;
}

// The form with some of its hints written out, at most one a group. Only words that are part of another form
// can make a difference.
const Form* same_with_hints(Form form, std::size_t group, const std::set<std::string>& words,
                            const Form& self, const ByKey& forms) {
  if (group == form.hints.size()) {
    if (form.modifiers.size() == self.modifiers.size()) return nullptr;
    const Form* other = same_instruction(form, form.key(), forms);
    return other == &self ? nullptr : other;
  }
  if (const Form* other = same_with_hints(form, group + 1, words, self, forms)) return other;
  for (const std::string& hint : self.hints[group]) {
    if (!words.count(hint)) continue;
    Form written = form;
    written.modifiers.push_back(hint);
    written.is_type.push_back(ir::is_type_word(hint));
    if (const Form* other = same_with_hints(std::move(written), group + 1, words, self, forms)) return other;
  }
  return nullptr;
}

// What spelling and matching read of a form: bodies stay behind.
Form outline(const Form& form) {
  Form result;
  result.opcode = form.opcode;
  result.modifiers = form.modifiers;
  result.is_type = form.is_type;
  result.hints = form.hints;
  result.operands = form.operands;
  return result;
}

}  // namespace

void report_ambiguities(const ir::Program& program, front::Diagnostics& diagnostics) {
  ByKey by_key;
  std::map<std::string, std::set<std::string>> words;  // by opcode
  for (const auto& family : program.families)
    for (const Form& form : family.forms) {
      auto& same = by_key[form.key()];
      same.push_back(&form);
      words[form.opcode].insert(form.modifiers.begin(), form.modifiers.end());
    }
  for (const auto& family : program.families)
    for (const Form& form : family.forms) {
      const Form* other = same_instruction(form, form.key(), by_key);
      if (other && std::tie(other->at.file, other->at.line) <= std::tie(form.at.file, form.at.line))
        diagnostics.error(form.at,
                          fmt::format("{} is a form already, at {}", form.text(), place(*other, program)));
      const bool clash = std::any_of(form.hints.begin(), form.hints.end(), [&](const auto& group) {
        return std::any_of(group.begin(), group.end(),
                           [&](const auto& hint) { return words[form.opcode].count(hint) > 0; });
      });
      if (!clash) continue;
      if (const Form* hinted = same_with_hints(outline(form), 0, words[form.opcode], form, by_key))
        diagnostics.error(form.at, fmt::format("{} with its hints is also {}, at {}", form.text(),
                                               hinted->text(), place(*hinted, program)));
    }
}

}  // namespace semcc::check
