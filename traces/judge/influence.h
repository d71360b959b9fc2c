// Which instructions may have a part in what a store left: in its value, its address, or in whether it ran.
#pragma once

#include <vector>

#include "traces/bundle/bundle.h"
#include "traces/explain/thread_log.h"

namespace wedjat::traces {

// Of the kernel that the log is of, in its order. Rather too many: the order in which instructions run is
// not looked at, every branch counts, and all instructions do where memory or calls come between them.
// `here`: what the launch writes.
std::vector<const wedjat_instruction*> influences(const ThreadLog& log, const wedjat_instruction& store,
                                                  const Runs& here);

}  // namespace wedjat::traces
