// What tools see of variables: what they are called, where they lie.
#pragma once
#include "emulator/kernel/lower/reachable.h"
#include "emulator/kernel/lower/request.h"
#include "emulator/kernel/lowered/kernel.h"

namespace wedjat::kernel {

/// Parameters of the entry, shared variables its functions use, .global and .const ones of the whole program.
void name_variables(const ptx::Program& program, const Reached& reached, const Addresses& addresses,
                    Kernel& kernel);

}  // namespace wedjat::kernel
