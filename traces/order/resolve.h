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

// `report`: of a plain replay that differs. Throws what replay() throws. Tools of `options` do not take part.
Resolution resolve_order(const Trace& trace, ReplayOptions options, const ReplayReport& report);

}  // namespace wedjat::traces
