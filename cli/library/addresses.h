// Addresses for memory of a device: those that were given back come again as late as can be, so that a kernel
// which uses freed memory is found out.
#pragma once
#include <cstdint>
#include <string>

#include "emulator/memory/capacity.h"
#include "emulator/memory/free_ranges.h"

namespace wedjat::library {

class Addresses {
 public:
  // For memory of that name. Throws device::Refused if there is not so much left.
  std::uint64_t take(std::uint64_t bytes, const std::string& label);
  void give_back(std::uint64_t address, std::uint64_t bytes) { free_.give_back(address, rounded(bytes)); }

 private:
  // Nothing else lies in what one allocation takes.
  static constexpr std::uint64_t step = 0x200000;
  // In no window (emulator/memory/windows.h), and where the host has nothing: it faults there too.
  static constexpr std::uint64_t base = 0x0000200000000000u, size = memory::capacity / step * step;
  static std::uint64_t rounded(std::uint64_t bytes) { return (bytes + step - 1) / step * step; }

  std::uint64_t next_ = base;
  memory::FreeRanges free_{base, size};
};

}  // namespace wedjat::library
