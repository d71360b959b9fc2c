// cuMemCreate, cuMemMap: physical memory that keeps its contents while it is mapped nowhere.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

#include "emulator/device/device.h"
#include "traces/read/event.h"

namespace wedjat::traces {

class VirtualMemory {
 public:
  explicit VirtualMemory(device::Device& device) : device_(device) {}

  void create(std::uint64_t handle, std::uint64_t size);
  // The handle is given back: its memory goes when its last mapping does.
  void release(std::uint64_t handle);
  // Why it cannot be done, or nothing.
  std::string map(std::uint64_t address, std::uint64_t size, std::uint64_t handle, std::uint64_t offset,
                  std::string label);
  void unmap(std::uint64_t address, std::uint64_t size);
  void retain(std::uint64_t handle);  // cuMemRetainAllocationHandle
  // Where bytes [offset, offset + size) of it are mapped, if they are in one piece.
  std::optional<std::uint64_t> address_of(std::uint64_t handle, std::uint64_t offset,
                                          std::uint64_t size) const;

 private:
  struct Physical {
    std::uint64_t size = 0;
    int references = 1;  // by the program; mappings count apart
    int mappings = 0;
    std::map<std::uint64_t, Bytes> kept;  // by offset: what was mapped there when it was unmapped
  };
  struct Mapping {
    std::uint64_t size = 0, handle = 0, offset = 0;
  };
  void drop_if_unused(std::uint64_t handle);

  device::Device& device_;
  std::unordered_map<std::uint64_t, Physical> physical_;
  std::map<std::uint64_t, Mapping> mappings_;  // by address
};

}  // namespace wedjat::traces
