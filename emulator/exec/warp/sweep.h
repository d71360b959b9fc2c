// Warps that native code takes one after the other, each of 32 threads, from its beginning to its end: those
// of a CTA, and of the CTAs after it. They need no rows.
#pragma once
#include <cstddef>
#include <cstdint>

#include "emulator/exec/access/noted_run.h"
#include "emulator/exec/warp/passage.h"

namespace wedjat::exec {

struct Sweep {
  /// Of one member: the warp that it stops in. The share is that of each warp, the room that of each CTA.
  Passage passage;
  /// What the first lane finds in the rows of the kernel's fills, by number of the fill: what is the same for
  /// all warps of the first CTA, before that of the CTA after it, and the rest, of each warp, before that of
  /// the warp after it.
  const std::uint64_t *of_cta = nullptr, *of_warp = nullptr;
  std::uint32_t next = 0, end = 0;  ///< warps of the CTA that have not begun; it begins in the first CTA
  std::uint32_t cta = 0, ctas = 1;  ///< which one of how many it has come to
  std::uint64_t earlier_steps = 0;  ///< of the CTAs before that one
  /// Room for `most_runs`; so many were used, and are told when it has stopped.
  NotedRun* runs = nullptr;
  std::uint32_t runs_used = 0;
  static constexpr std::uint32_t most_runs = 16;
  /// Begins warp `next`, to stop in it; gives its rows.
  std::byte* (*begin)(Sweep&) = nullptr;
  void* owner = nullptr;             ///< of the warps
  const Watched* watched = nullptr;  ///< of each warp
};

/// Left::ended: it stopped between two warps. Throws nothing.
using SweepCode = Left (*)(Sweep&);

}  // namespace wedjat::exec
