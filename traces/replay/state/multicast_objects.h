// cuMulticastCreate: memory that stands for what is bound to it, here on the one device of its team.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "emulator/device/device.h"
#include "traces/replay/state/virtual_memory.h"

namespace wedjat::traces {

/// Keeps the device's table of multicast addresses (multimem) as objects, bindings and mappings come and go.
class MulticastObjects {
 public:
  MulticastObjects(device::Device& device, const VirtualMemory& memory) : device_(device), memory_(memory) {}

  void create(std::uint64_t handle, std::uint64_t size) { objects_[handle].size = size; }
  bool has(std::uint64_t handle) const { return objects_.contains(handle); }
  /// The handle is given back: it stays as long as it is mapped.
  void release(std::uint64_t handle);
  /// Physical memory, from `memory_offset` on, wherever it is mapped; or, by address, what lies there. Each:
  /// why it cannot be done, or nothing.
  std::string bind_memory(std::uint64_t handle, std::uint64_t offset, std::uint64_t memory,
                          std::uint64_t memory_offset, std::uint64_t size);
  std::string bind_address(std::uint64_t handle, std::uint64_t offset, std::uint64_t address,
                           std::uint64_t size);
  void unbind(std::uint64_t handle, std::uint64_t offset, std::uint64_t size);
  void map(std::uint64_t address, std::uint64_t size, std::uint64_t handle, std::uint64_t offset);
  void unmap(std::uint64_t address, std::uint64_t size);
  /// Tells the device which addresses stand for which; to be called when physical memory was mapped or
  /// unmapped.
  void refresh();

 private:
  struct Binding {
    std::uint64_t size = 0;
    std::uint64_t memory = 0;  // a handle; 0: `at` is an address
    std::uint64_t at = 0;      // offset in the memory, or address
  };
  struct Object {
    std::uint64_t size = 0;
    bool released = false;
    std::map<std::uint64_t, Binding> bindings;  // by offset
  };
  struct Mapping {
    std::uint64_t size = 0, handle = 0, offset = 0;
  };
  std::string bind(std::uint64_t handle, std::uint64_t offset, Binding binding);
  void show(std::uint64_t address, const Mapping& mapping, std::uint64_t offset, const Binding& binding);

  device::Device& device_;
  const VirtualMemory& memory_;
  std::map<std::uint64_t, Object> objects_;    // by handle
  std::map<std::uint64_t, Mapping> mappings_;  // by address
  std::vector<std::uint64_t> shown_;           // the ranges of the device's table
};

}  // namespace wedjat::traces
