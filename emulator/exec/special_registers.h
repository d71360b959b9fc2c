// Values of the special registers (PTX ISA 10).
#pragma once
#include "emulator/exec/cta_state.h"
#include "emulator/kernel/lowered/row_fill.h"

namespace wedjat::exec {

bool differs_by_lane(kernel::SpecialRegister which);
bool differs_by_cta(kernel::SpecialRegister which);

/// Time runs with the CTA's own instructions, so that it is the same on every machine: one tick (and one
/// nanosecond) for each step of the CTA's warps, and what its warps slept.
std::uint64_t special_register(kernel::SpecialRegister which, const CtaState& cta, std::uint32_t warp,
                               unsigned lane);

}  // namespace wedjat::exec
