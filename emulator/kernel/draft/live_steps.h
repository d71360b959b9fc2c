// Steps whose results somebody needs.
#pragma once
#include <vector>

#include "emulator/kernel/draft/draft.h"

namespace wedjat::kernel {

/// Whether all that a step does is to write its results.
bool only_computes(const DraftStep& step);

/// By step. A step without effect is dead if no live step and no end of a block reads what it writes.
std::vector<bool> live_steps(const Draft& draft, const std::vector<std::uint32_t>& blocks);

}  // namespace wedjat::kernel
