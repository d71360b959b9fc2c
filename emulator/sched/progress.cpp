#include "emulator/sched/progress.h"

#include <fmt/format.h>

#include "emulator/exec/access/fault.h"
#include "emulator/sched/cta.h"

namespace wedjat::sched {

using exec::FaultKind;

void Progress::fail_limit(const Cta& cta) const {
  throw exec::Fault(FaultKind::step_limit,
                    fmt::format("{}: the launch ran more than {} steps\n  kernel {}, of {} CTAs{}",
                                exec::name_of(FaultKind::step_limit), launch_.options.launch_step_limit,
                                launch_.kernel.name, launch_.grid.count(), cta.describe_paths()));
}

void Progress::fail_interrupted(const Cta& cta) const {
  throw exec::Fault(
      FaultKind::interrupted,
      fmt::format("{} after {} steps\n  kernel {}, of {} CTAs{}", exec::name_of(FaultKind::interrupted),
                  steps_.load(), launch_.kernel.name, launch_.grid.count(), cta.describe_paths()));
}

}  // namespace wedjat::sched
