// The device heap: malloc and free inside kernels (CUDA programming guide, "Dynamic Global Memory
// Allocation").
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>

#include "emulator/memory/device_memory.h"

namespace wedjat::memory {

/// First fit by address, so the blocks handed out depend on the order of requests alone. Requests come one at
/// a time: sched orders them.
class Heap {
 public:
  /// `limit`: bytes it may hand out in all (cudaLimitMallocHeapSize). Blocks become allocations of `memory`,
  /// which must outlive the heap. `unwritten`: each byte of a new block.
  Heap(DeviceMemory& memory, std::uint64_t limit, std::byte unwritten = {});

  /// Device address of a block of `size` bytes aligned to 16; 0 if there is no room or size is 0.
  std::uint64_t allocate(std::uint64_t size);
  /// Address 0 is ignored. False unless a block begins there.
  bool free(std::uint64_t address);

 private:
  DeviceMemory& memory_;
  std::byte unwritten_;
  std::map<std::uint64_t, std::uint64_t> gaps_;    // address -> bytes
  std::map<std::uint64_t, std::uint64_t> blocks_;  // address -> bytes taken
};

}  // namespace wedjat::memory
