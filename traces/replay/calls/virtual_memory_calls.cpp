// Virtual memory management: handles, mappings.
#include <fmt/format.h>

#include "traces/replay/calls/handlers.h"

namespace wedjat::traces {

void VirtualMemory::create(std::uint64_t handle, std::uint64_t size) { physical_[handle] = {size, 1, 0, {}}; }

void VirtualMemory::retain(std::uint64_t handle) {
  if (const auto found = physical_.find(handle); found != physical_.end()) ++found->second.references;
}

void VirtualMemory::drop_if_unused(std::uint64_t handle) {
  const auto found = physical_.find(handle);
  if (found != physical_.end() && found->second.references <= 0 && found->second.mappings == 0)
    physical_.erase(found);
}

void VirtualMemory::release(std::uint64_t handle) {
  if (const auto found = physical_.find(handle); found != physical_.end()) --found->second.references;
  drop_if_unused(handle);
}

std::string VirtualMemory::map(std::uint64_t address, std::uint64_t size, std::uint64_t handle,
                               std::uint64_t offset, std::string label) {
  const auto found = physical_.find(handle);
  if (found == physical_.end())
    return fmt::format("nothing was recorded of the memory {:#x} that it maps", handle);
  for (const auto& [at, mapping] : mappings_)
    if (mapping.handle == handle && mapping.offset < offset + size && offset < mapping.offset + mapping.size)
      return fmt::format("the memory it maps is mapped at {:#x} too; replay has one address for a byte", at);
  device_.allocate_at(address, size, std::move(label));
  mappings_[address] = {size, handle, offset};
  ++found->second.mappings;
  for (auto kept = found->second.kept.begin(); kept != found->second.kept.end();) {
    const bool inside = kept->first >= offset && kept->first + kept->second.size() <= offset + size;
    if (inside) device_.write(address + (kept->first - offset), kept->second);
    kept = inside ? found->second.kept.erase(kept) : std::next(kept);
  }
  return {};
}

std::optional<std::uint64_t> VirtualMemory::address_of(std::uint64_t handle, std::uint64_t offset,
                                                       std::uint64_t size) const {
  for (const auto& [at, mapping] : mappings_)
    if (mapping.handle == handle && offset >= mapping.offset && offset - mapping.offset <= mapping.size &&
        size <= mapping.size - (offset - mapping.offset))
      return at + (offset - mapping.offset);
  return std::nullopt;
}

void VirtualMemory::unmap(std::uint64_t address, std::uint64_t size) {
  for (auto next = mappings_.lower_bound(address); next != mappings_.end() && next->first < address + size;) {
    const auto [at, mapping] = *next;
    if (const auto found = physical_.find(mapping.handle); found != physical_.end()) {
      --found->second.mappings;
      if (found->second.references > 0) {
        Bytes contents(mapping.size);
        device_.read(at, contents);
        found->second.kept[mapping.offset] = std::move(contents);
      }
    }
    device_.free(at);
    next = mappings_.erase(next);
    drop_if_unused(mapping.handle);
  }
}

namespace handle {

void create_memory(Replayer& replayer, const Call& call) {
  replayer.virtual_memory().create(replayer.given_out(call, "handle_out"), call.entry->number("size"));
}

void release_memory(Replayer& replayer, const Call& call) {
  replayer.multicast_objects().release(call.entry->number("handle"));
  replayer.virtual_memory().release(call.entry->number("handle"));
}

void retain_memory(Replayer& replayer, const Call& call) {
  replayer.virtual_memory().retain(replayer.given_out(call, "handle_out"));
}

void map_memory(Replayer& replayer, const Call& call) {
  const std::uint64_t address = call.entry->number("ptr"), size = call.entry->number("size"),
                      handle = call.entry->number("handle"), offset = call.entry->number("offset");
  if (replayer.multicast_objects().has(handle))
    return replayer.multicast_objects().map(address, size, handle, offset);
  const std::string cause = replayer.virtual_memory().map(
      address, size, handle, offset, fmt::format("{} (seq {})", call.base, call.sequence()));
  if (!cause.empty()) replayer.refuse(call, cause);
  replayer.multicast_objects().refresh();
}

void unmap_memory(Replayer& replayer, const Call& call) {
  const std::uint64_t address = call.entry->number("ptr"), size = call.entry->number("size");
  replayer.multicast_objects().unmap(address, size);
  replayer.virtual_memory().unmap(address, size);
  replayer.multicast_objects().refresh();
}

}  // namespace handle
}  // namespace wedjat::traces
