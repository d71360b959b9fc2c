#include "interposer/shim/memory/device_memory.h"

#include <map>
#include <mutex>

#include "interposer/shim/memory/streams.h"

namespace wedjat::interposer {
namespace {

struct Memories {
  std::mutex mutex;
  std::map<std::uint64_t, DeviceMemory> by_address;
};

Memories& memories() {
  static Memories& all = *new Memories;
  return all;
}

}  // namespace

void device_memory_begins(std::uint64_t address, std::size_t size, MemoryOrigin origin, std::uint64_t owner) {
  if (address == 0 || size == 0) return;
  const DeviceMemory begins{address, size, current_context(), origin, owner, work().given};
  Memories& all = memories();
  const std::lock_guard lock(all.mutex);
  all.by_address[address] = begins;
}

void device_memory_gone(std::uint64_t address) {
  Memories& all = memories();
  const std::lock_guard lock(all.mutex);
  all.by_address.erase(address);
}

std::optional<DeviceMemory> device_memory_at(std::uint64_t address) {
  Memories& all = memories();
  const std::lock_guard lock(all.mutex);
  const auto found = all.by_address.find(address);
  return found == all.by_address.end() ? std::nullopt : std::optional(found->second);
}

std::vector<DeviceMemory> device_memory() {
  Memories& all = memories();
  const std::lock_guard lock(all.mutex);
  std::vector<DeviceMemory> list;
  list.reserve(all.by_address.size());
  for (const auto& [address, memory] : all.by_address) list.push_back(memory);
  return list;
}

}  // namespace wedjat::interposer
