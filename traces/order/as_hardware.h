// A replay that grants a program what it got from the hardware, where the program needs it.
#pragma once

#include <string>
#include <vector>

#include "traces/replay/replay.h"

namespace wedjat::traces {

struct Granted {
  ReplayReport report;
  ReplayOptions options;           // that gave it
  std::vector<std::string> notes;  // what was granted, and why
};

// Replays as `options` say. If a kernel fails here alone because it reaches beside its memory, that memory is
// mapped in another replay; if bytes differ, one host thread replays again, always the same; if some still
// do, threads advance side by side in another replay, which counts if none differ there. Tools of `options`
// see one replay, as it is. Throws what replay() throws.
Granted replay_as_hardware(const Trace& trace, const ReplayOptions& options);

}  // namespace wedjat::traces
