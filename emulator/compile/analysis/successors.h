// Where the end of a block leads to.
#pragma once
#include <cstdint>
#include <vector>

#include "emulator/kernel/lowered/kernel.h"

namespace wedjat::compile {

/// Blocks of its function that a path may come to next. Of a branch the target comes first; a call leads to
/// the block that its lanes come back to.
std::vector<std::uint32_t> successors(const kernel::Terminator& end);

}  // namespace wedjat::compile
