// Happens-before among the warps of a launch, by vector clocks. A lane's place in time is its warp's clock
// and its own count of warp barriers.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>

namespace race_check {

using WarpId = std::uint64_t;  // 64 * CTA + warp
using Clocks = std::unordered_map<WarpId, std::uint32_t>;

inline void join(Clocks& to, const Clocks& from) {
  for (const auto& [warp, clock] : from) {
    std::uint32_t& mine = to[warp];
    mine = std::max(mine, clock);
  }
}

struct Warp {
  Clocks knows;             // what happened before now, itself included
  std::uint32_t clock = 1;  // of what it does now
  std::array<std::uint32_t, 32> lane_epoch{};
  std::shared_ptr<const Clocks> released;             // what its last fence covers
  Clocks acquired;                                    // what it read of others, until its next fence
  std::map<std::uint32_t, std::uint32_t> generation;  // by barrier: which one it arrived at

  void advance(WarpId self) { knows[self] = clock++; }
  void sync_lanes(std::uint32_t mask) {
    std::uint32_t latest = 0;
    for (std::uint32_t m = mask; m != 0; m &= m - 1) latest = std::max(latest, lane_epoch[__builtin_ctz(m)]);
    for (std::uint32_t m = mask; m != 0; m &= m - 1) lane_epoch[__builtin_ctz(m)] = latest + 1;
  }
};

struct Barrier {  // of one CTA
  std::uint32_t generation = 0;
  std::map<std::uint32_t, Clocks> arrived;  // by generation
};

}  // namespace race_check
