// Which differences of a replay the hardware leaves open, and whether everything else is exact.
#pragma once

#include <vector>

#include "traces/order/explain.h"
#include "traces/replay/replay.h"

namespace wedjat::traces {

struct Resolution {
  std::vector<Open> open;
  ReplayReport rest;  // of a replay in which the open places hold what they held on the hardware

  // Every difference is open, or follows from one that is.
  bool complete() const { return !open.empty() && rest.exact(); }
};

// Lets every launch that left something open leave what the hardware left. `open` must outlive the replay.
void put_in_place(ReplayOptions& options, const std::vector<Open>& open);

// Replays on one host thread, whatever `options` ask for: every replay of the trace is then the same. Tools
// of `options` do not take part. Throws what replay() throws.
Resolution resolve_order(const Trace& trace, ReplayOptions options);

}  // namespace wedjat::traces
