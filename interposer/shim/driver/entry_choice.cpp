#include <string_view>
#include <unordered_map>
#include <vector>

#include "interposer/shim/driver/entry_table.h"

namespace wedjat::interposer {
namespace {

using ByBase = std::unordered_map<std::string_view, std::vector<const EntryInfo*>>;

const ByBase& by_base() {
  static const ByBase& table = *[] {
    auto* entries = new ByBase;
    for (const EntryInfo& entry : kEntryTable) (*entries)[entry.base].push_back(&entry);
    return entries;
  }();
  return table;
}

const EntryInfo* newest(const std::vector<const EntryInfo*>& entries, int version, bool per_thread) {
  const EntryInfo* best = nullptr;
  for (const EntryInfo* entry : entries) {
    if (entry->per_thread != per_thread || entry->version > version) continue;
    if (best == nullptr || entry->version > best->version) best = entry;
  }
  return best;
}

}  // namespace

const EntryInfo* entry_for(std::string_view symbol, int version, bool per_thread) {
  const auto entries = by_base().find(symbol);
  if (entries == by_base().end()) return nullptr;
  const EntryInfo* entry = per_thread ? newest(entries->second, version, true) : nullptr;
  return entry ? entry : newest(entries->second, version, false);
}

}  // namespace wedjat::interposer
