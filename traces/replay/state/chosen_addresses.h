// Addresses that the driver chose and no call tells: of functions, of variables nobody asked for, of blocks
// of the device heap. The emulator chooses others; where a program copies one to the host, both name the same
// thing.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include "emulator/device/device.h"

namespace wedjat::traces {

class ChosenAddresses {
 public:
  explicit ChosenAddresses(device::Device& device) : device_(device) {}

  // `got` was read at `address`, where the hardware had `expected`. 64-bit words of `got` that hold an
  // address our device chose become the hardware's word, as long as all words so far pair the two one to one.
  // Gives the number of such words. Kernels may call a function by the hardware's word from now on.
  std::uint64_t translate(std::uint64_t address, std::span<const std::byte> expected,
                          std::span<std::byte> got);

 private:
  device::Device& device_;
  std::unordered_map<std::uint64_t, std::uint64_t> theirs_, ours_;  // ours -> theirs, theirs -> ours
};

}  // namespace wedjat::traces
