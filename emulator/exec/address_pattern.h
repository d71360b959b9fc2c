// What the addresses of a warp look like: enough to choose a fast path and to check bounds once.
#pragma once
#include <cstdint>

#include "emulator/exec/context.h"

namespace wedjat::exec {

struct AddressPattern {
  std::uint64_t low = 0, high = 0;  // least and greatest, over the lanes of the mask
  std::uint64_t low_bits = 0;       // all addresses or-ed: zero below the alignment if every lane is aligned
  std::uint64_t first = 0;          // address of the lowest lane of the mask, and that lane
  std::uint64_t first_lane = 0;
  bool equal = false;               // every lane of the mask has the same address
  bool consecutive = false;         // lane l is at first + (l - first_lane) * bytes

  // `mask` is not 0. Loops over 32 lanes without branches, so that they become a few vector instructions.
  template <unsigned bytes>
  void scan(std::uint32_t mask, const std::uint64_t* address) {
    if (mask == all_lanes) [[likely]]
      scan_full<bytes>(address);
    else
      scan_masked(mask, address);
  }

 private:
  template <unsigned bytes>
  void scan_full(const std::uint64_t* address) {
    first = address[0];
    std::uint64_t unequal = 0, apart = 0, bits = 0;
    for (std::uint64_t lane = 0; lane < lanes; ++lane) {
      unequal |= address[lane] ^ first;
      apart |= address[lane] ^ (first + lane * bytes);
      bits |= address[lane];
    }
    low_bits = bits;
    equal = unequal == 0;
    consecutive = apart == 0;
    low = high = first;
    if (equal) return;
    if (consecutive && first + (lanes - 1) * bytes >= first) {
      high = first + (lanes - 1) * bytes;
      return;
    }
    consecutive = false;
    std::uint64_t least = first, most = first;
    for (int lane = 0; lane < lanes; ++lane) {
      least = address[lane] < least ? address[lane] : least;
      most = address[lane] > most ? address[lane] : most;
    }
    low = least;
    high = most;
  }

  void scan_masked(std::uint32_t mask, const std::uint64_t* address) {
    first_lane = static_cast<std::uint64_t>(__builtin_ctz(mask));
    first = address[first_lane];
    std::uint64_t least = first, most = first, bits = 0;
    for (int lane = 0; lane < lanes; ++lane) {
      const std::uint64_t at = (mask >> lane & 1) ? address[lane] : first;
      least = at < least ? at : least;
      most = at > most ? at : most;
      bits |= at;
    }
    low = least;
    high = most;
    low_bits = bits;
    equal = low == high;
  }
};

}  // namespace wedjat::exec
