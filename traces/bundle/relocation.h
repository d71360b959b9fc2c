// Which words of a bundle hold addresses, so that it can run where its memory lies elsewhere.
#pragma once

#include <functional>

#include "traces/bundle/bundle.h"
#include "traces/bundle/places.h"

namespace wedjat::traces {

// Sets bundle.pointers: words of the parameters and of what is read whose values fall into memory that the
// kernel touches, and words of what it writes that follow when all of it moves. Proved by running it at two
// sets of other addresses. Nothing is set where that fails; the text says why then, and is a note of the
// bundle. `run`: on a new device.
using RunElsewhere = std::function<BundleRun(const Bundle&, const Places&)>;
void find_pointers(Bundle& bundle, const RunElsewhere& run);

// Calls visit(address, value) for each aligned word of 8 bytes that lies in the runs wholly.
void each_word(const Runs& runs,
               const std::function<void(std::uint64_t address, std::uint64_t value)>& visit);

}  // namespace wedjat::traces
