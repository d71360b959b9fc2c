// The rows of a box, in the order in which they lie in shared memory (PTX ISA 5.5.3 to 5.5.5).
#pragma once
#include <cstdint>

#include "emulator/exec/tensor_map.h"

namespace wedjat::exec {

/// Where one lane's copy begins.
struct TensorPlace {
  std::int32_t at[5]{}, offset[3]{};
};

/// Calls visit(row, inside, address) for each row of dimension 0: whether the coordinates of the other
/// dimensions lie in the tensor, and where its element 0 of dimension 0 lies.
template <class Visit>
void each_row(const TensorMap& map, const TensorPlace& place, const Visit& visit) {
  const auto row = [&](std::uint32_t number, const std::int64_t* at) {
    std::uint64_t address = map.address;
    bool inside = true;
    for (unsigned d = 1; d < map.rank; ++d) {
      inside &= at[d] >= 0 && static_cast<std::uint64_t>(at[d]) < map.size[d];
      address += static_cast<std::uint64_t>(at[d]) * map.stride[d];
    }
    visit(number, inside, address);
  };
  std::int64_t at[5]{};
  if (!map.im2col) {
    const std::uint32_t rows = map.rows();
    for (std::uint32_t number = 0; number < rows; ++number) {
      std::uint32_t rest = number;
      for (unsigned d = 1; d < map.rank; ++d) {
        at[d] = std::int64_t{place.at[d]} + std::int64_t{rest % map.count(d)} * map.step[d];
        rest /= map.count(d);
      }
      row(number, at);
    }
    return;
  }
  // Pixels one after the other: each dimension from its lower to its upper corner, then the next one; the
  // last dimension, that of images, has no corner.
  std::int64_t base[5];
  for (unsigned d = 1; d < map.rank; ++d) base[d] = place.at[d];
  for (std::uint32_t number = 0; number < map.pixels; ++number) {
    for (unsigned d = 1; d < map.rank; ++d) at[d] = base[d] + (d + 1 < map.rank ? place.offset[d - 1] : 0);
    row(number, at);
    for (unsigned d = 1; d < map.rank; ++d) {
      base[d] += map.step[d];
      if (d + 1 == map.rank || base[d] < static_cast<std::int64_t>(map.size[d]) + map.upper[d - 1]) break;
      base[d] = map.lower[d - 1];
    }
  }
}

/// Where byte `at` of the box lies: 16-byte pieces of a row are exchanged by the number of their 128-byte
/// line.
inline std::uint64_t swizzled(std::uint64_t at, unsigned swizzle) {
  return swizzle == 0 ? at : at ^ (at >> 3 & (swizzle - 16));
}

}  // namespace wedjat::exec
