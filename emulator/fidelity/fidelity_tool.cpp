#include "emulator/fidelity/fidelity_tool.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/fidelity/report.h"
#include "utilities/include/wedjat/tool.hpp"

namespace wedjat::fidelity {
namespace {

// Rows of the inventory that say the same of an instruction: those of its mnemonic; if it reads a special
// register or an address by name, those that do so too. "mov.u32", "mov.u32 %tid.x", "mov.u32 a name",
// "mov.u64 a function".
std::string kin(std::string_view mnemonic, std::string_view named, bool is_function = false) {
  if (named.empty()) return std::string(mnemonic);
  return std::string(mnemonic) + " " +
         (is_function       ? "a function"
          : named[0] == '%' ? std::string(named)
                            : "a name");
}

std::string kin_of(const fidelity::InventoryRow& row) {
  const std::size_t at = row.operands.find('@');
  if (at == std::string_view::npos) return kin(row.mnemonic, {});
  std::string_view named = row.operands.substr(at + 1);
  named = named.substr(0, named.find_first_of(", ]}"));
  return kin(row.mnemonic, named, named == "func" || named == "kself");
}

std::string kin_of(const wedjat_kernel& kernel, const wedjat_instruction& i) {
  const auto is_function = [&](std::string_view name) {
    const std::span functions(kernel.functions, kernel.function_count);
    return std::find(functions.begin(), functions.end(), name) != functions.end();
  };
  for (const wedjat_operand& operand : operands(i)) {
    const std::string_view text = operand.text;
    const bool is_register = operand.kind != WEDJAT_REGISTER || operand.registers[0] != WEDJAT_NO_REGISTER;
    if (is_register || !operand.in || text.empty() || operand.count != 1) continue;
    if (text[0] == '%' || text[0] == '_' || text[0] == '$' ||
        std::isalpha(static_cast<unsigned char>(text[0])))
      return kin(i.form, text, is_function(text));
  }
  return kin(i.form, {});
}

// What is known of an instruction: the worst of its kin.
std::string_view status_of(const std::string& kind) {
  static const std::map<std::string, fidelity::Status> known = [] {
    std::map<std::string, fidelity::Status> all;
    for (const fidelity::InventoryRow& row : fidelity::inventory()) {
      if (!row.runs_on_sm_90a) continue;
      const fidelity::Status status = fidelity::status_of(fidelity::evidence_for(row));
      const auto [at, fresh] = all.emplace(kin_of(row), status);
      if (!fresh) at->second = std::max(at->second, status);
    }
    return all;
  }();
  const std::string_view mnemonic = std::string_view(kind).substr(0, kind.find(' '));
  auto found = known.find(kind);
  for (const std::string& other : {kin(mnemonic, {}), kin(mnemonic, "other")})
    if (found == known.end()) found = known.find(other);
  return found == known.end() ? "not in the inventory"
                              : fidelity::status_names[static_cast<std::size_t>(found->second)];
}

struct FidelityTool : Tool {
  struct Entry {
    std::string kernel, form;
    std::string_view status;
    std::uint32_t counter;
    bool branch = false, address = false;
  };
  std::vector<Entry> entries;
  std::uint32_t all = counters(1);

  void kernel(const wedjat_kernel& k) override {
    std::map<std::string, std::size_t> mine;  // by kin
    for (const auto& i : instructions(k)) {
      count(i, WEDJAT_WARPS, all);
      const std::string kind = kin_of(k, i);
      const std::string_view status = status_of(kind);
      if (status == "exact") continue;
      const auto [at, fresh] = mine.emplace(kind, entries.size());
      if (fresh) entries.push_back({k.name, kind, status, counters(1)});
      count(i, WEDJAT_WARPS, entries[at->second].counter);
    }
    for (const auto& [form, index] : mine) follow(k, form, entries[index]);
  }

  // Registers that a result of the form may have reached, until no more are found.
  static void follow(const wedjat_kernel& k, std::string_view form, Entry& entry) {
    std::set<std::uint32_t> reached;
    std::size_t before = 0;
    do {
      before = reached.size();
      for (const auto& i : instructions(k)) {
        bool from = form == kin_of(k, i);
        if (i.guard_register != WEDJAT_NO_REGISTER && reached.contains(i.guard_register)) {
          from = true;
          if (i.what & (WEDJAT_BRANCH | WEDJAT_EXIT | WEDJAT_RETURN)) entry.branch = true;
        }
        for (const auto& operand : operands(i)) {
          if (!operand.in && operand.kind != WEDJAT_ADDRESS) continue;
          if (!any_of(operand, reached)) continue;
          from = true;
          if (operand.kind == WEDJAT_ADDRESS) entry.address = true;
          if (i.what & WEDJAT_BRANCH) entry.branch = true;
        }
        if (!from) continue;
        for (const auto& operand : operands(i))
          if (operand.out && operand.kind != WEDJAT_ADDRESS)
            for (unsigned e = 0; e < operand.count; ++e)
              if (operand.registers[e] != WEDJAT_NO_REGISTER) reached.insert(operand.registers[e]);
      }
    } while (reached.size() != before);
  }

  static bool any_of(const wedjat_operand& operand, const std::set<std::uint32_t>& reached) {
    for (unsigned e = 0; e < (operand.kind == WEDJAT_ADDRESS ? 1u : operand.count); ++e)
      if (operand.registers[e] != WEDJAT_NO_REGISTER && reached.contains(operand.registers[e])) return true;
    return false;
  }

  void finish() override {
    wedjat::Table table_of_forms =
        table("executed and not exact", "kernel form status warp_instructions reaches");
    std::uint64_t inexact = 0;
    for (const Entry& entry : entries) {
      if (value(entry.counter) == 0) continue;
      inexact += value(entry.counter);
      table_of_forms.row(entry.kernel, entry.form, std::string(entry.status), value(entry.counter),
                         entry.branch && entry.address ? "branch, address"
                         : entry.branch                ? "branch"
                         : entry.address               ? "address"
                                                       : "-");
    }
    table("all", "warp_instructions not_exact").row(value(all), inexact);
  }
};

}  // namespace

const wedjat_tool& fidelity_tool() {
  return *Tool::describe<FidelityTool>("fidelity", "which executed instructions were not exact");
}

}  // namespace wedjat::fidelity
