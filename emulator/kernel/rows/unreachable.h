// What of a lowered kernel can never run, and so is neither kept nor shown to tools.
#pragma once
#include "emulator/kernel/lowered/kernel.h"

namespace wedjat::kernel {

/// Empties functions that no block which can be reached calls, and forgets the origins of all instructions
/// that stand in no block any more; those that are left are numbered anew, in their order.
void drop_unreachable(Kernel& kernel);

}  // namespace wedjat::kernel
