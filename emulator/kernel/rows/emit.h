// Draft -> function as exec/ runs it: blocks in priority order, values in rows.
#pragma once
#include "emulator/kernel/draft/draft.h"
#include "emulator/kernel/lowered/kernel.h"

namespace wedjat::kernel {

/// Fills everything but name, address and refused. `function` stays where it is from now on: steps point into
/// it.
void emit(Draft draft, Function& function);

}  // namespace wedjat::kernel
