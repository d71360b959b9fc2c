#include "emulator/cli/fidelity_tool.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/fidelity/evidence.h"
#include "utilities/include/wedjat/tool.hpp"

namespace wedjat::cli {
namespace {

// What is known of a form by its text: the worst of the inventory's rows with this mnemonic.
std::string_view status_of(std::string_view form) {
  static const std::map<std::string_view, std::string_view> known = [] {
    std::map<std::string_view, std::string_view> all;
    for (const fidelity::InventoryRow& row : fidelity::inventory()) {
      if (!row.runs_on_sm_90a) continue;
      const auto evidence = fidelity::evidence_for(row);
      const std::string_view status = !evidence ? "not compared" : evidence->exact ? "exact" : "differs";
      const auto [at, fresh] = all.emplace(row.mnemonic, status);
      if (!fresh && at->second != "differs" && status != "exact") at->second = status;
    }
    return all;
  }();
  const auto found = known.find(form);
  return found == known.end() ? "not in the inventory" : found->second;
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
    std::map<std::string_view, std::size_t> mine;  // by form
    for (const auto& i : instructions(k)) {
      count(i, WEDJAT_WARPS, all);
      const std::string_view status = status_of(i.form);
      if (status == "exact") continue;
      const auto [at, fresh] = mine.emplace(i.form, entries.size());
      if (fresh) entries.push_back({k.name, i.form, status, counters(1)});
      count(i, WEDJAT_WARPS, entries[at->second].counter);
    }
    for (const auto& [form, index] : mine) follow(k, form, entries[index]);
  }

  // Registers that a result of the form may have reached, until no more are found.
  static void follow(const wedjat_kernel& k, std::string_view form, Entry& entry) {
    std::set<std::uint32_t> reached;
    for (std::size_t before = 1; before != reached.size() + 1;) {
      before = reached.size() + 1;
      for (const auto& i : instructions(k)) {
        bool from = form == i.form;
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
    }
  }

  static bool any_of(const wedjat_operand& operand, const std::set<std::uint32_t>& reached) {
    for (unsigned e = 0; e < (operand.kind == WEDJAT_ADDRESS ? 1u : operand.count); ++e)
      if (operand.registers[e] != WEDJAT_NO_REGISTER && reached.contains(operand.registers[e])) return true;
    return false;
  }

  void finish() override {
    Table table_of_forms = table("executed and not exact", "kernel form status warp_instructions reaches");
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

}  // namespace wedjat::cli
