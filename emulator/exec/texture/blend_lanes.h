// blend() of one plane for all lanes of a warp at once.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "emulator/exec/texture/texel.h"

namespace wedjat::exec {

/// 32 lanes.
template <class T>
struct alignas(64) LaneRow : std::array<T, 32> {};

/// The corners 00 10 01 11 around each lane's place: where the texel lies behind the first of all, and its
/// part of 256. One that does not count is that of corner 00, without a part.
struct LaneCorners {
  std::array<LaneRow<std::uint64_t>, 4> offset;
  std::array<LaneRow<std::uint32_t>, 4> weight;
};

/// Fills the texels of all lanes, channel after channel; gives the lanes that must be summed one by one, for
/// NaNs and infinities are among their texels. Integers have at most 16 bits.
std::uint32_t blend_lanes(const std::byte* data, const LaneCorners& corners, const memory::ArrayShape& shape,
                          Reading reading, Channels* texel);

}  // namespace wedjat::exec
