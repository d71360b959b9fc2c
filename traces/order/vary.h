// What comes out otherwise where hardware is free to choose: the order of warps and CTAs, and what memory
// held before anything was written there.
#pragma once

#include <vector>

#include "traces/order/explain.h"
#include "traces/replay/replay.h"

namespace wedjat::traces {

// Places of `report`, of a replay with these options and `open` put in place, that differ from the hardware,
// get another value in a replay in which such a choice falls otherwise, and for which there is a cause: a
// race, atomics, memory that nobody wrote. Throws what replay() throws.
std::vector<Open> vary(const Trace& trace, ReplayOptions options, const std::vector<Open>& open,
                       const ReplayReport& report);

}  // namespace wedjat::traces
