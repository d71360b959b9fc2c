// Whether threads may write what they may read.
#pragma once
#include "emulator/exec/access/context.h"

namespace wedjat::exec {

/// Of memory of the device that is there: cuMemSetAccess.
bool may_write(const WarpContext& warp, std::uint64_t address);

}  // namespace wedjat::exec
