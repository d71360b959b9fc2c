#include "interposer/shim/driver/proc_address.h"

#include <string_view>
#include <unordered_map>
#include <vector>

#include "interposer/shim/driver/driver.h"
#include "interposer/shim/driver/entry_table.h"
#include "interposer/shim/events/meta_events.h"

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

const EntryInfo* choose(std::string_view symbol, int version, bool per_thread) {
  const auto entries = by_base().find(symbol);
  if (entries == by_base().end()) return nullptr;
  const EntryInfo* entry = per_thread ? newest(entries->second, version, true) : nullptr;
  return entry ? entry : newest(entries->second, version, false);
}

}  // namespace

void* served(const Call& call, const char* symbol, void* found, int version, cuuint64_t flags) {
  if (found == nullptr || symbol == nullptr) return found;
  const bool per_thread = (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0;
  const EntryInfo* entry = choose(symbol, version, per_thread);
  // Asked for an API newer than our table, the driver may have chosen an ABI we do not know.
  const bool same =
      entry && (version <= kCudaVersion || driver_entry(static_cast<Entry>(entry - kEntryTable)) == found);
  if (same) return entry->wrapper;
  wj_emit_escaped(next_sequence(), call.sequence, symbol, version);
  return found;
}

}  // namespace wedjat::interposer
