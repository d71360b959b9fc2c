// The real driver library behind the wrappers.
#pragma once

#include "entries.h"

namespace wedjat::interposer {

// Address of the real function, or null if this driver does not have it.
void* driver_entry(Entry entry);

// The same with its type: real<decltype(&cuFoo)>(Entry::cuFoo).
template <typename Function>
Function real(Entry entry) {
  return reinterpret_cast<Function>(driver_entry(entry));
}

// A function of the real driver that is none of cuda.h's, or null.
void* driver_function(const char* name);

}  // namespace wedjat::interposer
