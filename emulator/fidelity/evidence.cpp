#include "emulator/fidelity/evidence.h"

#include <charconv>
#include <string>
#include <unordered_map>

#include "emulator/fidelity/embedded.h"
#include "emulator/fidelity/fields.h"

namespace wedjat::fidelity {
namespace {

using Table = std::unordered_map<std::string_view, Evidence>;

Table read_table(std::string_view text) {
  Table table;
  for (const auto& [form, outcome, bound, count, device] : fields_of<5>(text, "the table of evidence")) {
    Evidence evidence{outcome == "exact", bound, 0, device};
    std::from_chars(count.data(), count.data() + count.size(), evidence.outputs);
    table.emplace(form, evidence);
  }
  return table;
}

}  // namespace

std::optional<Evidence> evidence_for(const InventoryRow& row) {
  static const std::string text = unpack(embedded_evidence(), "the table of evidence");
  static const Table table = read_table(text);
  std::string form(row.mnemonic);
  if (const auto found = table.find(form); found != table.end()) return found->second;
  if (!row.operands.empty()) form.append(" ").append(row.operands);
  if (const auto found = table.find(form); found != table.end()) return found->second;
  return std::nullopt;
}

}  // namespace wedjat::fidelity
