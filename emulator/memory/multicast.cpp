#include "emulator/memory/multicast.h"

#include <fmt/format.h>

#include "emulator/memory/device_memory.h"

namespace wedjat::memory {

void MulticastTable::bind(std::uint64_t address, Range range) {
  if (range.size == 0 || range.places.empty() || address + range.size < address)
    throw Error(fmt::format("{} bytes of multicast memory at {:#x} with {} places", range.size, address,
                            range.places.size()));
  const auto next = ranges_.upper_bound(address);
  const bool into_next = next != ranges_.end() && next->first - address < range.size;
  const bool in_last =
      next != ranges_.begin() && address - std::prev(next)->first < std::prev(next)->second.size;
  if (into_next || in_last)
    throw Error(fmt::format("multicast memory at {:#x} overlaps what is bound at {:#x}", address,
                            in_last ? std::prev(next)->first : next->first));
  ranges_[address] = std::move(range);
}

MulticastTable::Places MulticastTable::places(std::uint64_t address) const {
  const auto next = ranges_.upper_bound(address);
  if (next == ranges_.begin()) return {};
  const auto& [begin, range] = *std::prev(next);
  if (address - begin >= range.size) return {};
  return {range.places, address - begin};
}

}  // namespace wedjat::memory
