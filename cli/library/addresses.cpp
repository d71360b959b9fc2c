#include "cli/library/addresses.h"

#include <fmt/format.h>

#include <optional>

#include "emulator/device/error.h"

namespace wedjat::library {

std::uint64_t Addresses::take(std::uint64_t bytes, const std::string& label) {
  if (bytes <= size) {
    std::optional<std::uint64_t> address = free_.take(rounded(bytes), step, next_);
    if (!address) address = free_.take(rounded(bytes), step, base);
    if (address) {
      next_ = *address + rounded(bytes);
      return *address;
    }
  }
  throw device::Refused(fmt::format("cannot allocate '{}': {} bytes, the device has {} left in one piece",
                                    label, bytes, free_.longest()));
}

}  // namespace wedjat::library
