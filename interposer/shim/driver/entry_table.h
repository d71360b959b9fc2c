// What is known of every driver function (generated; sorted by name, index = Entry).
#pragma once

#include <string_view>

#include "entries.h"

namespace wedjat::interposer {

struct EntryInfo {
  const char* name;  // exported symbol
  const char* base;  // what cuGetProcAddress is asked for
  int version;       // CUDA version this ABI appeared in
  bool per_thread;   // the _ptds or _ptsz flavour
  void* wrapper;
};

extern const EntryInfo kEntryTable[kEntries];

// What cuGetProcAddress finds, by the rule of its PFN typedefs: the newest ABI not above `version`, in the
// per-thread flavour if asked for and present. Null: no such function.
const EntryInfo* entry_for(std::string_view base, int version, bool per_thread);

}  // namespace wedjat::interposer
