// Warps of a CTA that native code takes one after the other, each of 32 threads, from its beginning to its
// end. They need no rows.
#pragma once
#include <cstddef>
#include <cstdint>

#include "emulator/exec/access/noted_run.h"
#include "emulator/exec/warp/passage.h"

namespace wedjat::exec {

struct Sweep {
  Passage passage;  ///< of one member: the warp that it stops in; the share is that of each warp
  /// What the first lane finds in the rows of the kernel's fills, by number of the fill: what is the same for
  /// all warps of the CTA, and the rest, of the warp `next`, before that of the warp after it.
  const std::uint64_t *of_cta = nullptr, *of_warp = nullptr;
  std::uint32_t next = 0, end = 0;  ///< warps that have not begun
  /// Room for `most_runs`; so many were used, and are told when it has stopped.
  NotedRun* runs = nullptr;
  std::uint32_t runs_used = 0;
  static constexpr std::uint32_t most_runs = 16;
  /// Begins warp `next`, to stop in it; gives its rows.
  std::byte* (*begin)(Sweep&) = nullptr;
  void* owner = nullptr;             ///< of the warps
  const Watched* watched = nullptr;  ///< of the warp `next`, before that of the warp after it
};

/// Left::ended: it stopped between two warps. Throws nothing.
using SweepCode = Left (*)(Sweep&);

}  // namespace wedjat::exec
