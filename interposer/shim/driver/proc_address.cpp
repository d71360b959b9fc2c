#include "interposer/shim/driver/proc_address.h"

#include "interposer/shim/driver/driver.h"
#include "interposer/shim/driver/entry_table.h"
#include "interposer/shim/events/meta_events.h"

namespace wedjat::interposer {
void* served(const Call& call, const char* symbol, void* found, int version, cuuint64_t flags) {
  if (found == nullptr || symbol == nullptr) return found;
  const bool per_thread = (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0;
  const EntryInfo* entry = entry_for(symbol, version, per_thread);
  // Asked for an API newer than our table, the driver may have chosen an ABI we do not know.
  const bool same =
      entry && (version <= kCudaVersion || driver_entry(static_cast<Entry>(entry - kEntryTable)) == found);
  if (same) return entry->wrapper;
  wj_emit_escaped(next_sequence(), call.sequence, symbol, version);
  return found;
}

}  // namespace wedjat::interposer
