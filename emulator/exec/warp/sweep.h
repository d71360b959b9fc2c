// Warps of a CTA that native code takes one after the other, each of 32 threads, from its beginning to its
// end. They need no rows.
#pragma once
#include <cstddef>
#include <cstdint>

#include "emulator/exec/access/noted_run.h"
#include "emulator/exec/warp/passage.h"

namespace wedjat::exec {

struct Sweep {
  Passage passage;  ///< of the warp that it stops in; the budget is that of each warp
  /// What the first lane finds in the rows of the kernel's fills, by number of the fill: what is the same for
  /// all warps of the CTA, and the rest, of the warp `next`, before that of the warp after it.
  const std::uint64_t *of_cta = nullptr, *of_warp = nullptr;
  std::uint32_t next = 0, end = 0;            ///< warps that have not begun
  std::uint64_t room = 0;                     ///< no warp begins once those that ended ran more steps
  std::uint64_t steps = 0, instructions = 0;  ///< of warps that ended
  /// Room for `most_runs`; so many were used, and are told when it has stopped.
  NotedRun* runs = nullptr;
  std::uint32_t runs_used = 0;
  static constexpr std::uint32_t most_runs = 16;
  /// Begins warp `next`, to stop in it; gives its rows.
  std::byte* (*begin)(Sweep&) = nullptr;
  void* owner = nullptr;  ///< of the warps
};

/// Left::refused: it stopped between two warps. Throws nothing.
using SweepCode = Left (*)(Sweep&);

}  // namespace wedjat::exec
