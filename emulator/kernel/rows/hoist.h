// Address sums of lowering's own out of loops: a displacement that PTX writes for free costs a step here, so
// it is paid once.
#pragma once
#include <cstdint>
#include <vector>

#include "emulator/kernel/draft/draft.h"

namespace wedjat::kernel {

/// Moves own steps whose one input is written once, in a block of fewer loops, to the end of that block.
void hoist(Draft& draft, const std::vector<std::uint32_t>& depth);

}  // namespace wedjat::kernel
