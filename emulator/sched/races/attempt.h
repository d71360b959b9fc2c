// Launches on several host threads that can be undone.
#pragma once
#include <exception>
#include <string>

#include "emulator/exec/cta/launch.h"
#include "emulator/sched/grid.h"
#include "emulator/sched/races/conduct.h"

namespace wedjat::sched {

struct Attempt {
  bool counts = false;  ///< else all is as it was before
  Statistics statistics;
  std::exception_ptr fault;
  std::string printed;
};

/// Notes what CTAs touch, and keeps what is about to be written. `keep`: what it did, if it counts.
Attempt attempt(const exec::Launch& launch, Conduct& conduct, bool keep, Bond bond = Bond::ordered);

/// Of a launch some of whose steps read where nobody knows: what it may write is kept first, and it ends
/// where one of them wants to read that.
Attempt attempt_with_kept_writes(const exec::Launch& launch, Conduct& conduct, const apart::Apart& apart);

}  // namespace wedjat::sched
