#include "emulator/memory/heap.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "emulator/memory/windows.h"

namespace wedjat::memory {

namespace {
// Blocks do not touch: a small overrun leaves its block and is found.
constexpr std::uint64_t spacing = 16;
}  // namespace

Heap::Heap(DeviceMemory& memory, std::uint64_t limit, std::byte unwritten)
    : memory_(memory), unwritten_(unwritten) {
  gaps_[heap_window.base] = std::min(limit, heap_window.size);
}

std::uint64_t Heap::allocate(std::uint64_t size) {
  if (size == 0 || size > heap_window.size) return 0;
  const std::uint64_t taken = (size + 15) / 16 * 16 + spacing;
  for (auto gap = gaps_.begin(); gap != gaps_.end(); ++gap) {
    if (gap->second < taken) continue;
    const auto [address, room] = *gap;
    memory_.insert(address, size, "block of the device heap");
    if (unwritten_ != std::byte{0})
      std::memset(memory_.host(address, size, "malloc"), static_cast<int>(unwritten_), size);
    gaps_.erase(gap);
    if (room > taken) gaps_[address + taken] = room - taken;
    blocks_[address] = taken;
    return address;
  }
  return 0;
}

bool Heap::free(std::uint64_t address) {
  if (address == 0) return true;
  auto block = blocks_.find(address);
  if (block == blocks_.end()) return false;
  memory_.free(address);
  auto gap = gaps_.emplace(address, block->second).first;
  blocks_.erase(block);
  if (auto after = std::next(gap); after != gaps_.end() && gap->first + gap->second == after->first) {
    gap->second += after->second;
    gaps_.erase(after);
  }
  if (gap != gaps_.begin()) {
    if (auto before = std::prev(gap); before->first + before->second == gap->first) {
      before->second += gap->second;
      gaps_.erase(gap);
    }
  }
  return true;
}

}  // namespace wedjat::memory
