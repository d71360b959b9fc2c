#include "emulator/memory/free_ranges.h"

#include <algorithm>
#include <iterator>

namespace wedjat::memory {

FreeRanges::FreeRanges(std::uint64_t begin, std::uint64_t bytes) : free_{{begin, bytes}} {}

std::optional<std::uint64_t> FreeRanges::take(std::uint64_t bytes, std::uint64_t alignment,
                                              std::uint64_t from) {
  auto range = free_.upper_bound(from);
  if (range != free_.begin()) --range;
  for (; range != free_.end(); ++range) {
    const auto [begin, length] = *range;
    const std::uint64_t address = (std::max(begin, from) + alignment - 1) / alignment * alignment;
    if (address - begin < length && bytes <= length - (address - begin)) {
      take_at(address, bytes);
      return address;
    }
  }
  return std::nullopt;
}

bool FreeRanges::take_at(std::uint64_t address, std::uint64_t bytes) {
  auto around = free_.upper_bound(address);
  if (around == free_.begin()) return false;
  --around;
  const auto [begin, length] = *around;
  if (address - begin >= length || bytes > length - (address - begin)) return false;
  free_.erase(around);
  if (address != begin) free_[begin] = address - begin;
  if (const std::uint64_t left = begin + length - (address + bytes); left != 0) free_[address + bytes] = left;
  return true;
}

void FreeRanges::give_back(std::uint64_t address, std::uint64_t bytes) {
  auto after = free_.lower_bound(address);
  if (after != free_.end() && after->first == address + bytes) {
    bytes += after->second;
    after = free_.erase(after);
  }
  if (after != free_.begin()) {
    const auto before = std::prev(after);
    if (before->first + before->second == address) {
      before->second += bytes;
      return;
    }
  }
  free_[address] = bytes;
}

std::uint64_t FreeRanges::longest() const {
  std::uint64_t found = 0;
  for (const auto& [begin, length] : free_) found = std::max(found, length);
  return found;
}

}  // namespace wedjat::memory
