// Launches on several host threads that come out as on one.
#pragma once
#include "emulator/exec/cta/launch.h"
#include "emulator/sched/grid.h"

namespace wedjat::sched {

/// Runs the launch on its threads while it watches what CTAs touch. Where their order mattered, it is undone
/// and run by one thread. Throws as run_grid().
Statistics run_guarded(const exec::Launch& launch);

}  // namespace wedjat::sched
