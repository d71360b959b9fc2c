// Races that may explain what else nothing explains.
#pragma once

#include <string>
#include <vector>

#include "traces/order/resolve.h"

namespace wedjat::traces {

// Which threads race in the kernels that ran before the copies that differ, as lines of text; empty if
// nothing differs but what is open, or nothing races. Weaker than what `resolution` (of the same trace and
// options) holds: nothing ties a place that differs to a race. Throws what replay() throws.
std::vector<std::string> racing_before(const Trace& trace, const ReplayOptions& options,
                                       const Resolution& resolution);

}  // namespace wedjat::traces
