// In which order the driver did what several threads asked of it.
#pragma once

#include <cstdint>

#include "traces/read/trace.h"

namespace wedjat::traces {

// A place among the sequence numbers at which a call has had its effect, and not much earlier. What gives
// memory or handles back counts from its entry: another thread may be given the same before it returns. All
// else counts when it is over: a thread that has entered a call may wait there while others tell what it
// wrote before, or while they give back what it will be given.
std::uint64_t done_at(const Call& call);

// By that place.
void order_as_done(Calls& calls);

}  // namespace wedjat::traces
