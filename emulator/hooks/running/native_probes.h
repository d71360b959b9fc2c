// What native code is told of probes.
#pragma once
#include <memory>

#include "emulator/exec/warp/probe.h"
#include "emulator/hooks/inspection/instrumented.h"

namespace wedjat::hooks {

/// Of all probes of a kernel whose steps stand. `mutating`: tools that may change registers, one bit each.
/// Fills in Instrumented::cells.
std::shared_ptr<const exec::Probes> native_probes(Instrumented& code, std::uint64_t mutating);

}  // namespace wedjat::hooks
