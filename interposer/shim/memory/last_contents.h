// What device memory held when it was given back and when the program ended: something to compare where a
// program never copies its results to the host.
#pragma once

#include <cstdint>

#include "interposer/shim/events/call.h"

namespace wedjat::interposer {

void memory_freed(const Call& call, std::uint64_t address);  // before a free that waits for the device
void memory_begins_later(const Call& call, std::uint64_t address, std::size_t size);
void memory_freed_later(const Call& call, std::uint64_t address);  // before a free in the order of a stream
// Before a context and all in it may go; null: the current one.
void context_ends(const Call& call, CUcontext context);

// Before a CUmodule or CUlibrary is unloaded.
void variables_end(const Call& call, std::uint64_t owner);
template <typename Owner>
void module_ends(const Call& call, Owner owner) {
  variables_end(call, reinterpret_cast<std::uint64_t>(owner));
}

// Has the end of the program watched, once a process; after cuInit, so that it comes before the exit handlers
// of the runtime and of the driver.
void watch_program_end();

}  // namespace wedjat::interposer
