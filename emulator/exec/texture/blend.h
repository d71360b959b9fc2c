// Weighted sums of texels, as the filter units of Hopper form them.
#pragma once
#include <array>
#include <cstddef>
#include <span>

#include "emulator/exec/texture/texel.h"

namespace wedjat::exec {

/// A texel and its part of 256, which may round to nothing; null where the place lies on a line of texels.
struct Corner {
  const std::byte* texel = nullptr;
  unsigned weight = 0;
};

/// The texels of one plane of one level.
using Plane = std::array<Corner, 4>;

/// The sum over all planes (at most 4), whose weights are 256 together. Integers have at most 16 bits.
Channels blend(std::span<const Plane> planes, const memory::ArrayShape& shape, Reading reading);

}  // namespace wedjat::exec
