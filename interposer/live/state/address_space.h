// Addresses that a device gives out: a part of the process's address space that nothing else gets, so that no
// address of the device is one of the host's by chance. The first free place is taken: the same requests get
// the same addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace wedjat::live {

class AddressSpace {
 public:
  // At `wanted` where it is free.
  AddressSpace(std::uint64_t wanted, std::uint64_t size);

  // 0: there is no room.
  std::uint64_t take(std::uint64_t bytes, std::uint64_t alignment);
  // Just there; false if it is not free.
  bool take_at(std::uint64_t address, std::uint64_t bytes);
  void give_back(std::uint64_t address, std::uint64_t bytes);
  bool contains(std::uint64_t address) const { return address - base_ < size_; }

  // The host can read and write there, or not any more; then its contents are gone.
  static bool open(std::uint64_t address, std::uint64_t bytes);
  static void close(std::uint64_t address, std::uint64_t bytes);

 private:
  std::uint64_t base_, size_;
  std::map<std::uint64_t, std::uint64_t> free_;  // address -> bytes
};

}  // namespace wedjat::live
