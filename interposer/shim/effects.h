// What launches change in device memory, kept with `wedjat record --verify`. Every launch is waited for then.
#pragma once

#include <cstddef>
#include <cstdint>

#include "interposer/shim/call.h"

namespace wedjat::interposer {

// Where device memory lies: allocations, mappings, variables of modules.
void device_memory_begins(std::uint64_t address, std::size_t size);
void device_memory_gone(std::uint64_t address);

// Around a launch of a kernel or a graph.
void effects_begin(const Call& call);
void effects_end(const Call& call);

}  // namespace wedjat::interposer
