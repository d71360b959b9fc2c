// Runs a launch to its end on the host's threads.
#pragma once
#include <cstdint>

#include "emulator/exec/cta/launch.h"

namespace wedjat::sched {

struct Statistics {
  double seconds = 0;  ///< of wall-clock time
  std::uint64_t ctas = 0, warp_instructions = 0, thread_instructions = 0;
  std::uint64_t steps = 0;         ///< that warps ran, ends of blocks too
  std::uint64_t native_steps = 0;  ///< the part of them that native code ran
};

/// All CTAs of the grid, on launch.options.threads host threads (the caller's is one of them). Throws
/// exec::Fault: always the same one, however many threads there are. Throws std::invalid_argument for a grid
/// or block that no device takes.
Statistics run_grid(const exec::Launch& launch);

/// What the CTAs of a launch must have to do with each other, for several threads to run it while it is
/// observed.
enum class Bond : std::uint8_t {
  ordered,  ///< it comes out the same however many threads run it
  /// Moreover each cluster runs as if it were the only one: none changes a word (4 bytes) of device memory
  /// that another one touches, none waits for its turn, none fails.
  none
};

/// Whether they have no more than that: found by a run that is undone, for an observer must not see one that
/// is. True of what one thread runs anyway.
bool have_at_most(Bond bond, const exec::Launch& launch);

}  // namespace wedjat::sched
