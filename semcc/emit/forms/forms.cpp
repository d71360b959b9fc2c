#include "semcc/emit/forms/forms.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "semcc/emit/forms/accesses.h"
#include "semcc/emit/forms/compute.h"
#include "semcc/emit/forms/operands.h"
#include "semcc/emit/forms/traits.h"
#include "semcc/emit/forms/work.h"
#include "semcc/ir/printer.h"

namespace semcc::emit {
namespace {

constexpr const char* head = R"(#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>

#include "emulator/exec/access/context.h"
#include "emulator/kernel/forms/accesses.h"
#include "emulator/kernel/forms/compute.h"
#include "emulator/kernel/forms/form.h"
#include "emulator/kernel/forms/instruction_lists.h"
#include "emulator/kernel/forms/profile_rows.h"
#include "emulator/kernel/forms/traits.h"
#include "emulator/kernel/legality/why_refused.h"
#include "emulator/kernel/forms/work.h"
#include "executors.h"

namespace wedjat::kernel {
namespace {

using namespace std::string_view_literals;

)";

struct Row {
  std::string key;
  const ir::Form* form;
};

// Sorted by key; within a key in the order of the semantics files.
std::vector<Row> sorted(const ir::Program& program) {
  std::vector<Row> rows;
  for (const ir::Family& family : program.families)
    for (const ir::Form& form : family.forms) rows.push_back({form.key(), &form});
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.key < b.key; });
  return rows;
}

unsigned effect_bits(const ir::Effects& e) {
  const bool bits[] = {e.reads_memory, e.writes_memory,     e.updates_memory, e.ordered,     e.warp_sync,
                       e.aligned,      e.barrier,           e.fence,          e.reads_state, e.writes_state,
                       e.can_fail,     e.reads_other_lanes, e.waits};
  unsigned out = 0;
  for (std::size_t i = 0; i < std::size(bits); ++i) out |= static_cast<unsigned>(bits[i]) << i;
  return out;
}

// The labels of the first memory access or fence: all accesses of a form have the same.
ir::MemoryLabels labels_of(const ir::Form& form) {
  for (const ir::Stmt& stmt : form.body) {
    if (stmt.what == ir::Stmt::What::Transfer && !stmt.labels.sem.empty()) return stmt.labels;
    const bool access = stmt.what == ir::Stmt::What::MemoryWrite || stmt.what == ir::Stmt::What::Fence ||
                        (stmt.what == ir::Stmt::What::Let &&
                         (stmt.value->op == ir::Op::MemoryRead || stmt.value->op == ir::Op::MemoryUpdate));
    if (access) return stmt.labels;
  }
  return {ir::Space::None, "", ""};
}

// The enumerator of a word of the semantics: "branch_indexed" is BranchIndexed, no word None.
std::string enumerator(std::string_view word) {
  if (word.empty()) return "None";
  std::string name;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const bool starts = i == 0 || word[i - 1] == '_';
    if (word[i] != '_') name += starts ? static_cast<char>(std::toupper(word[i])) : word[i];
  }
  return name;
}

const char* level(ir::Level level) {
  static constexpr const char* names[] = {"Thread", "Warp", "Cta", "Control"};
  return names[static_cast<int>(level)];
}

std::string row(const ir::Program& program, const Row& row, const Executors& executors, std::size_t operand) {
  const ir::Form& form = *row.form;
  std::string full = "nullptr", masked = "nullptr";
  if (form.level != ir::Level::Control) {
    const std::string& symbol = executors.symbol.at(&form);
    full = fmt::format("executors::{}_full", symbol);
    masked = fmt::format("executors::{}_masked", symbol);
  }
  const ir::MemoryLabels labels = labels_of(form);
  return fmt::format(
      "{{\"{}\"sv, \"{}\"sv, \"{}\"sv, \"{}\"sv, Control::{}, \"{}:{}\"sv, {}, {}, operands + {}, {}, {}, "
      "Level::{}, {}, {}, "
      "\"{}\"sv, Semantics::{}, Scope::{}}},\n",
      form.opcode, form.text(), row.key, ir::hints_text(form),
      enumerator(form.level == ir::Level::Control ? form.control : ""),
      program.files[static_cast<std::size_t>(form.at.file)], form.at.line, full, masked, operand,
      form.operands.size(), form.sync_operand, level(form.level), effect_bits(form.effects),
      100 * form.since.ptx_major + form.since.ptx_minor, fmt::join(form.since.targets, " "),
      enumerator(labels.sem), enumerator(labels.scope));
}

using Places = std::map<std::string, std::size_t>;  // of a form's text: its row

// The lists as arrays of rows, and the function that finds one by its name.
std::string lists(const ir::Program& program, const Places& place) {
  std::string arrays, choices;
  for (const ir::List& list : program.lists) {
    arrays += fmt::format("constexpr const Form* list_{}[] = {{", list.name);
    for (const std::string& text : list.forms) arrays += fmt::format("rows + {}, ", place.at(text));
    arrays += "};\n";
    choices += fmt::format("  if (name == \"{0}\"sv) return list_{0};\n", list.name);
  }
  return arrays + "\nstd::span<const Form* const> instructions(std::string_view name) {\n" + choices +
         "  return {};\n}\n\n";
}

// Rows with named columns: the emulator declares a struct of the name, with a member for each column.
std::string profile_rows(const ir::Program& program, const Places& place) {
  std::string text;
  for (const ir::Rows& table : program.rows) {
    text += fmt::format(
        "template <>\nstd::span<const {0}> profile_rows<{0}>() {{\n  static constexpr {0} all[] = {{\n",
        table.name);
    for (const auto& row : table.rows) {
      text += "{";
      for (std::size_t i = 0; i < row.size(); ++i)
        text += fmt::format(".{} = rows + {}, ", table.columns[i], place.at(row[i]));
      text += "},\n";
    }
    text += "  };\n  return all;\n}\n\n";
  }
  return text;
}

// The reasons, and which of them each form has: 0 that it is run.
std::string refusals(const std::vector<Row>& forms) {
  std::vector<std::string> reasons{""};
  std::string texts = "\"\"sv,\n", which;
  for (const Row& row : forms) {
    auto found = std::find(reasons.begin(), reasons.end(), row.form->refused);
    if (found == reasons.end()) {
      texts += fmt::format("\"{}\"sv,\n", row.form->refused);
      found = reasons.insert(found, row.form->refused);
    }
    which += fmt::format("{},\n", found - reasons.begin());
  }
  return fmt::format(
      "namespace {{\nconstexpr std::string_view reasons[] = {{\n{}}};\nconstexpr std::uint16_t reason_of[] = "
      "{{\n{}0}};\n}}  // namespace\n\n"
      "std::string_view why_refused(const Form& form) {{\n"
      "  return reasons[reason_of[static_cast<std::size_t>(&form - all_forms().data())]];\n}}\n\n",
      texts, which);
}

}  // namespace

std::map<std::string, std::string> emit_forms(const ir::Program& program, const Executors& executors) {
  const std::vector<Row> forms = sorted(program);
  OperandPool pool;
  std::string rows;
  for (const Row& form : forms) rows += row(program, form, executors, pool.add(*form.form));
  // An array may not be empty, but a table without operands or forms is still a table.
  const std::string operands = pool.all().empty() ? "{},\n" : pool.all();
  std::string text = head;
  text += "constexpr OperandSpec operands[] = {\n" + operands + "};\n\n";
  if (!forms.empty()) text += "constinit const Form rows[] = {\n" + rows + "};\n\n";
  text += "}  // namespace\n\n";
  text +=
      fmt::format("std::span<const Form> all_forms() {{ return {}; }}\n\n", forms.empty() ? "{}" : "rows");
  std::vector<const ir::Form*> in_order;
  for (const Row& form : forms) in_order.push_back(form.form);
  text += emit_accesses(in_order);
  text += emit_work(in_order);
  text += refusals(forms);
  text += emit_traits(in_order);
  Places place;
  for (std::size_t i = 0; i < forms.size(); ++i) place.emplace(forms[i].form->text(), i);
  text += lists(program, place);
  text += profile_rows(program, place);
  text += compute_text;
  text += "}  // namespace wedjat::kernel\n";
  return {{"forms.cpp", std::move(text)}};
}

}  // namespace semcc::emit
