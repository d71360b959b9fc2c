// The parameter buffer of a kernel.
#pragma once
#include <cstdint>
#include <vector>

#include "emulator/ptx/module/function.h"

namespace wedjat::kernel {

/// Bytes of a kernel's parameter buffer, and where each parameter lies in it.
std::vector<std::uint64_t> parameter_offsets(const ptx::Function& entry, std::uint64_t& total);

}  // namespace wedjat::kernel
