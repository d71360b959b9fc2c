// What paths may spend before others run, in steps. The loop and native code count alike, so that launches
// take the same course in both.
#pragma once
#include <cstdint>

namespace wedjat::exec {

/// What a path may run while others could, before they get to run: long enough that lanes in a long loop are
/// waited for at the reconvergence point, short enough that a lane that spins on what another lane must do
/// does not spin for long.
inline constexpr std::int64_t longest_streak = 1 << 16;

/// A step that communicates costs so much of that, and of the warp's share, besides itself: it may be
/// spinning.
inline constexpr std::int64_t communication_cost = 256;

}  // namespace wedjat::exec
