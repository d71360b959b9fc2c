// Where device memory lies: allocations, mappings, variables of modules whose address was asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "interposer/shim/events/call.h"

namespace wedjat::interposer {

enum class MemoryOrigin : std::uint8_t { allocated, mapped, variable };

struct DeviceMemory {
  std::uint64_t address = 0;
  std::size_t size = 0;
  std::uint64_t context = 0;  // that was current when it began
  MemoryOrigin origin = MemoryOrigin::allocated;
  std::uint64_t owner = 0;  // of a variable: its CUmodule or CUlibrary
  std::uint64_t given = 0;  // Work::given when it began
};

void device_memory_begins(std::uint64_t address, std::size_t size,
                          MemoryOrigin origin = MemoryOrigin::allocated, std::uint64_t owner = 0);
void device_memory_gone(std::uint64_t address);

std::optional<DeviceMemory> device_memory_at(std::uint64_t address);  // that begins there
// All there is now, by address.
std::vector<DeviceMemory> device_memory();

}  // namespace wedjat::interposer
