// Replays a recording on the emulator: the room's door.
#pragma once

#include "traces/read/trace.h"
#include "traces/replay/state/options.h"
#include "traces/replay/state/report.h"

namespace wedjat::traces {

// Throws FormatError (broken or flawed trace), ReplayRefused (a call or image replay cannot carry out), and
// what emulator/device throws when a kernel is refused or fails.
ReplayReport replay(const Trace& trace, const ReplayOptions& options);

}  // namespace wedjat::traces
