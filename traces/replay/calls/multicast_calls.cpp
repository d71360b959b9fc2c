// Multicast objects: a team of one device.
#include <fmt/format.h>

#include <algorithm>

#include "cuda_abi.h"
#include "traces/replay/calls/handlers.h"

namespace wedjat::traces {

void MulticastObjects::release(std::uint64_t handle) {
  const auto found = objects_.find(handle);
  if (found == objects_.end()) return;
  found->second.released = true;
  const bool mapped = std::any_of(mappings_.begin(), mappings_.end(),
                                  [&](const auto& each) { return each.second.handle == handle; });
  if (!mapped) objects_.erase(found);
}

std::string MulticastObjects::bind(std::uint64_t handle, std::uint64_t offset, Binding binding) {
  const auto found = objects_.find(handle);
  if (found == objects_.end())
    return fmt::format("nothing was recorded of the multicast object {:#x}", handle);
  if (offset > found->second.size || binding.size > found->second.size - offset)
    return fmt::format("{} bytes at {} of a multicast object of {}", binding.size, offset,
                       found->second.size);
  found->second.bindings[offset] = binding;
  refresh();
  return {};
}

std::string MulticastObjects::bind_memory(std::uint64_t handle, std::uint64_t offset, std::uint64_t memory,
                                          std::uint64_t memory_offset, std::uint64_t size) {
  return bind(handle, offset, {size, memory, memory_offset});
}

std::string MulticastObjects::bind_address(std::uint64_t handle, std::uint64_t offset, std::uint64_t address,
                                           std::uint64_t size) {
  return bind(handle, offset, {size, 0, address});
}

void MulticastObjects::unbind(std::uint64_t handle, std::uint64_t offset, std::uint64_t size) {
  const auto found = objects_.find(handle);
  if (found == objects_.end()) return;
  auto& bindings = found->second.bindings;
  bindings.erase(bindings.lower_bound(offset), bindings.lower_bound(offset + size));
  refresh();
}

void MulticastObjects::map(std::uint64_t address, std::uint64_t size, std::uint64_t handle,
                           std::uint64_t offset) {
  mappings_[address] = {size, handle, offset};
  refresh();
}

void MulticastObjects::unmap(std::uint64_t address, std::uint64_t size) {
  const auto begin = mappings_.lower_bound(address), end = mappings_.lower_bound(address + size);
  std::vector<std::uint64_t> handles;
  for (auto each = begin; each != end; ++each) handles.push_back(each->second.handle);
  mappings_.erase(begin, end);
  refresh();
  for (const std::uint64_t handle : handles)
    if (const auto found = objects_.find(handle); found != objects_.end() && found->second.released)
      release(handle);
}

// The part of the binding that the mapping shows.
void MulticastObjects::show(std::uint64_t address, const Mapping& mapping, std::uint64_t offset,
                            const Binding& binding) {
  const std::uint64_t begin = std::max(mapping.offset, offset),
                      end = std::min(mapping.offset + mapping.size, offset + binding.size);
  if (begin >= end) return;
  std::uint64_t place = binding.at + (begin - offset);
  if (binding.memory != 0) {
    const auto mapped = memory_.address_of(binding.memory, place, end - begin);
    if (!mapped) return;  // not yet anywhere where it could be read
    place = *mapped;
  }
  device_.multicast().bind(address + (begin - mapping.offset), {end - begin, {place}});
  shown_.push_back(address + (begin - mapping.offset));
}

void MulticastObjects::refresh() {
  for (const std::uint64_t address : shown_) device_.multicast().unbind(address);
  shown_.clear();
  for (const auto& [address, mapping] : mappings_)
    if (const auto found = objects_.find(mapping.handle); found != objects_.end())
      for (const auto& [offset, binding] : found->second.bindings) show(address, mapping, offset, binding);
}

namespace handle {

void create_multicast(Replayer& replayer, const Call& call) {
  const auto wanted = replayer.structure<CUmulticastObjectProp>(call, "prop");
  if (wanted.numDevices > 1)
    replayer.refuse(call, fmt::format("a team of {} devices; replay has one", wanted.numDevices));
  replayer.multicast_objects().create(replayer.given_out(call, "mcHandle"), wanted.size);
}

void bind_multicast_memory(Replayer& replayer, const Call& call) {
  const std::string cause = replayer.multicast_objects().bind_memory(
      call.entry->number("mcHandle"), call.entry->number("mcOffset"), call.entry->number("memHandle"),
      call.entry->number("memOffset"), call.entry->number("size"));
  if (!cause.empty()) replayer.refuse(call, cause);
}

void bind_multicast_address(Replayer& replayer, const Call& call) {
  const std::string cause = replayer.multicast_objects().bind_address(
      call.entry->number("mcHandle"), call.entry->number("mcOffset"), call.entry->number("memptr"),
      call.entry->number("size"));
  if (!cause.empty()) replayer.refuse(call, cause);
}

void unbind_multicast(Replayer& replayer, const Call& call) {
  replayer.multicast_objects().unbind(call.entry->number("mcHandle"), call.entry->number("mcOffset"),
                                      call.entry->number("size"));
}

}  // namespace handle
}  // namespace wedjat::traces
