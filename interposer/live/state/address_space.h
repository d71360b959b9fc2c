// Addresses that a device gives out: a part of the process's address space that nothing else gets, so that no
// address of the device is one of the host's by chance. The first free place is taken: the same requests get
// the same addresses.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/memory/free_ranges.h"

namespace wedjat::live {

class AddressSpace {
 public:
  // At `wanted` where it is free.
  AddressSpace(std::uint64_t wanted, std::uint64_t size);

  memory::FreeRanges& free() { return free_; }
  bool contains(std::uint64_t address) const { return address - base_ < size_; }

  // Addresses of the process, wherever nothing of it lies; nothing else gets them until they are dropped.
  static bool keep(std::uint64_t address, std::uint64_t bytes);
  static void drop(std::uint64_t address, std::uint64_t bytes);

  // The host can read and write there, or not any more; then its contents are gone.
  static bool open(std::uint64_t address, std::uint64_t bytes);
  static void close(std::uint64_t address, std::uint64_t bytes);

 private:
  std::uint64_t base_, size_;
  memory::FreeRanges free_;
};

}  // namespace wedjat::live
