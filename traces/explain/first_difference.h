// The instruction that stored the first wrong element, and what its value came from.
#pragma once

#include <string>
#include <vector>

#include "traces/order/resolve.h"

namespace wedjat::traces {

// Lines of text; empty if nothing differs but what is open. `resolution`: of the same trace and options.
// Throws what replay() throws.
std::vector<std::string> explain_first_difference(const Trace& trace, const ReplayOptions& options,
                                                  const Resolution& resolution);

}  // namespace wedjat::traces
