// What generated executors call where an address lies wrongly (`require … else misaligned`).
#pragma once
#include "emulator/exec/access/context.h"

namespace wedjat::exec {

/// As undefined() of context.h, but the kernel fails as by a load or store that lies wrongly.
[[gnu::cold, noreturn]] void misaligned(WarpContext& warp, const kernel::Step& step, std::uint32_t failed,
                                        const char* why);

}  // namespace wedjat::exec
