// Where code of a region asks whether its share is over. The loop asks at the end of each block; code asks
// less often, and stops before it could miss the end of a block where the loop would have stopped.
#pragma once
#include <optional>
#include <vector>

#include "emulator/compile/analysis/region.h"

namespace wedjat::compile {

/// Of a share, which is some ten thousand steps: what a path may have to leave undone at its end.
inline constexpr std::uint64_t most_unasked = 4096;

/// What a node spends of the share at most, its end too.
std::uint64_t cost_of(const kernel::Function& function, const Node& node);

/// By node: absent, it does not ask; else what may be spent of the share from its start to the last end of a
/// block before a node asks again or the path leaves. The entry asks, and every loop does.
using Pace = std::vector<std::optional<std::uint64_t>>;
Pace pace_of(const kernel::Function& function, const Region& region);

}  // namespace wedjat::compile
