// The rows of a box, in the order in which they lie in shared memory (PTX ISA 5.5.3 to 5.5.5).
#pragma once
#include <cstdint>

#include "emulator/exec/tensor/tensor_map.h"

namespace wedjat::exec {

/// Where one lane's copy begins.
struct TensorPlace {
  std::int32_t at[5]{}, offset[3]{};
};

/// Calls visit(row, inside, address) for each row of the box: whether its coordinates (but that of dimension
/// 0, where a row is several elements of it) lie in the tensor, and where element 0 of the row lies.
template <class Visit>
void each_row(const TensorMap& map, const TensorPlace& place, const Visit& visit) {
  const unsigned walks = map.rank - 1, apart = map.interleave == 0 ? 0 : map.rank - 2;
  const auto row = [&](std::uint32_t number, const std::int64_t* at) {
    std::uint64_t address = map.address;
    bool inside = true;
    for (unsigned d = map.interleave == 0 ? 1 : 0; d < map.rank; ++d) {
      inside &= at[d] >= 0 && static_cast<std::uint64_t>(at[d]) < map.size[d];
      address += static_cast<std::uint64_t>(at[d]) * map.step_bytes(d);
    }
    visit(number, inside, address);
  };
  std::int64_t at[5]{};
  at[apart] = place.at[apart];
  if (!map.im2col) {
    const std::uint32_t rows = map.rows();
    for (std::uint32_t number = 0; number < rows; ++number) {
      std::uint32_t rest = number;
      for (unsigned k = 0; k < walks; ++k) {
        const unsigned d = map.walked(k);
        at[d] = std::int64_t{place.at[d]} + std::int64_t{rest % map.count(d)} * map.step[d];
        rest /= map.count(d);
      }
      row(number, at);
    }
    return;
  }
  // Pixels one after the other: each dimension from its lower to its upper corner, then the next one; the
  // last dimension, that of images, has no corner.
  std::int64_t base[4];
  for (unsigned k = 0; k < walks; ++k) base[k] = place.at[map.walked(k)];
  for (std::uint32_t number = 0; number < map.pixels; ++number) {
    for (unsigned k = 0; k < walks; ++k) at[map.walked(k)] = base[k] + (k + 1 < walks ? place.offset[k] : 0);
    row(number, at);
    for (unsigned k = 0; k < walks; ++k) {
      const unsigned d = map.walked(k);
      base[k] += map.step[d];
      if (k + 1 == walks || base[k] < static_cast<std::int64_t>(map.size[d]) + map.upper[k]) break;
      base[k] = map.lower[k];
    }
  }
}

/// Where byte `at` of the box lies: 16-byte pieces of a row are exchanged by the number of their 128-byte
/// line.
inline std::uint64_t swizzled(std::uint64_t at, unsigned swizzle) {
  return swizzle == 0 ? at : at ^ (at >> 3 & (swizzle - 16));
}

}  // namespace wedjat::exec
