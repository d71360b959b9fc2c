// What is known of every driver function (generated; sorted by name, index = Entry).
#pragma once

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

}  // namespace wedjat::interposer
