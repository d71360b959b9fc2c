// Words for places in a program and for threads, as reports show them.
#pragma once
#include <cstdint>
#include <string>

#include "emulator/exec/cta/cta_state.h"
#include "emulator/kernel/lowered/kernel.h"

namespace wedjat::exec {

/// "kernel.ptx:41 'ld.global.f32 %f1, [%rd4];' in saxpy (saxpy.cu:12)"
std::string describe_place(const kernel::Kernel& kernel, std::uint32_t id);
/// "CTA (1,0,0) thread (5,0,0)"
std::string describe_thread(const CtaState& cta, std::uint32_t warp, unsigned lane);

}  // namespace wedjat::exec
