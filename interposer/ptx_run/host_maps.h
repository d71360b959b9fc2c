// All memory that this process can read and write, as memory of a device at the same addresses.
#pragma once

#include <cstdint>
#include <map>

#include "emulator/device/device.h"

namespace wedjat::ptx_run {

// [address, end) of this process, readable and writable; neighbours are one.
std::map<std::uint64_t, std::uint64_t> writable_memory();

class HostMaps {
 public:
  // The device sees what is mapped now. What overlaps the device's own windows stays unseen.
  void update(device::Device& device);

 private:
  std::map<std::uint64_t, std::uint64_t> seen_, skipped_;
};

}  // namespace wedjat::ptx_run
