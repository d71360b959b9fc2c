// Where the lanes of an access begin.
#pragma once
#include <algorithm>
#include <cstdint>

namespace memory_check {

struct Extent {
  std::uint64_t least = ~std::uint64_t{0}, greatest = 0;  ///< of no lane: the one is above the other
};

inline Extent extent_of(const std::uint64_t* address, std::uint32_t lanes) {
  Extent extent;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const std::uint64_t off = (lanes >> lane & 1) - std::uint64_t{1};  // all ones: it does not access
    extent.least = std::min(extent.least, address[lane] | off);
    extent.greatest = std::max(extent.greatest, address[lane] & ~off);
  }
  return extent;
}

}  // namespace memory_check
