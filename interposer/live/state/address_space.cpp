#include "interposer/live/state/address_space.h"

#include <sys/mman.h>

namespace wedjat::live {
namespace {

constexpr int reserved = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

}  // namespace

AddressSpace::AddressSpace(std::uint64_t wanted, std::uint64_t size) : base_(wanted), size_(size) {
  void* got = ::mmap(reinterpret_cast<void*>(wanted), size, PROT_NONE, reserved | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == MAP_FAILED) got = ::mmap(nullptr, size, PROT_NONE, reserved, -1, 0);
  // Where the process may not have so many addresses, only chance keeps the host from them.
  if (got != MAP_FAILED) base_ = reinterpret_cast<std::uint64_t>(got);
  free_[base_] = size;
}

std::uint64_t AddressSpace::take(std::uint64_t bytes, std::uint64_t alignment) {
  for (const auto& [begin, length] : free_) {
    const std::uint64_t address = (begin + alignment - 1) / alignment * alignment;
    if (address - begin < length && bytes <= length - (address - begin) && take_at(address, bytes))
      return address;
  }
  return 0;
}

bool AddressSpace::take_at(std::uint64_t address, std::uint64_t bytes) {
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

void AddressSpace::give_back(std::uint64_t address, std::uint64_t bytes) {
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

bool AddressSpace::open(std::uint64_t address, std::uint64_t bytes) {
  return ::mmap(reinterpret_cast<void*>(address), bytes, PROT_READ | PROT_WRITE, reserved | MAP_FIXED, -1,
                0) != MAP_FAILED;
}

void AddressSpace::close(std::uint64_t address, std::uint64_t bytes) {
  ::mmap(reinterpret_cast<void*>(address), bytes, PROT_NONE, reserved | MAP_FIXED, -1, 0);
}

}  // namespace wedjat::live
