#include "cli/library/addresses.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "emulator/device/error.h"

namespace wedjat::library {

// The first place from `begin` on; 0: there is none.
std::uint64_t Addresses::take_from(std::uint64_t bytes, std::uint64_t begin) {
  auto range = free_.upper_bound(begin);
  if (range != free_.begin()) --range;
  for (; range != free_.end(); ++range) {
    const auto [first, length] = *range;
    const std::uint64_t address = std::max(first, begin), end = first + length;
    if (address >= end || end - address < bytes) continue;
    free_.erase(range);
    if (address != first) free_[first] = address - first;
    if (address + bytes != end) free_[address + bytes] = end - (address + bytes);
    next_ = address + bytes;
    return address;
  }
  return 0;
}

std::uint64_t Addresses::take(std::uint64_t bytes, const std::string& label) {
  if (bytes <= size) {
    if (const std::uint64_t address = take_from(rounded(bytes), next_); address != 0) return address;
    if (const std::uint64_t address = take_from(rounded(bytes), base); address != 0) return address;
  }
  std::uint64_t most = 0;
  for (const auto& [address, length] : free_) most = std::max(most, length);
  throw device::Refused(
      fmt::format("cannot allocate '{}': {} bytes, the device has {} left in one piece", label, bytes, most));
}

void Addresses::give_back(std::uint64_t address, std::uint64_t bytes) {
  bytes = rounded(bytes);
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

}  // namespace wedjat::library
