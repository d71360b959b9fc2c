// For native code, which has to know before a warp begins where the memory lies that its steps reach.
#pragma once
#include <cstdint>

#include "emulator/exec/access/context.h"
#include "emulator/exec/access/use.h"
#include "emulator/kernel/forms/form.h"

namespace wedjat::exec {

/// The step did not know the memory of the device at this address, and does from now on. False if it did, if
/// there is none, or if it must not be used so.
bool learn_memory(WarpContext& warp, const kernel::Step& step, kernel::Space space, Use use,
                  std::uint64_t address);

}  // namespace wedjat::exec
