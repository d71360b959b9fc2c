// Values of the special registers (PTX ISA 10). What each is made of: semantics/special_registers.psem.
#pragma once
#include "emulator/exec/cta/cta_state.h"
#include "emulator/kernel/lowered/special_registers.h"

namespace wedjat::exec {

bool differs_by_lane(kernel::SpecialRegister which);
bool differs_by_cta(kernel::SpecialRegister which);

std::uint64_t special_register(kernel::SpecialRegister which, const CtaState& cta, std::uint32_t warp,
                               unsigned lane);

}  // namespace wedjat::exec
