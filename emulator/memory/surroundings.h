// Memory beside allocations, as a program may find it on hardware: whole pages are mapped, and often the ones
// before and behind hold something of the context.
#pragma once
#include <cstdint>
#include <map>

#include "emulator/memory/device_memory.h"

namespace wedjat::memory {

class Surroundings {
 public:
  /// What cuMemGetAllocationGranularity gives for device memory.
  static constexpr std::uint64_t page = std::uint64_t{2} << 20;

  explicit Surroundings(DeviceMemory& memory) : memory_(memory) {}

  /// Before an allocation of that range, or of several within it. Whether there was anything.
  bool clear(std::uint64_t address, std::uint64_t size);
  /// After it: zeroed memory fills what is free of its pages and of the next ones.
  void fill(std::uint64_t address, std::uint64_t size);
  /// An allocation that others made, to be kept whole.
  void keep(std::uint64_t address, std::uint64_t size) { taken_[address] = address + size; }
  /// After everything was cleared.
  void fill_all();
  /// After its allocation was freed.
  void forget(std::uint64_t address) { taken_.erase(address); }

 private:
  using Ranges = std::map<std::uint64_t, std::uint64_t>;  // address -> end

  DeviceMemory& memory_;
  Ranges taken_, beside_;  // by the program; by us
};

}  // namespace wedjat::memory
