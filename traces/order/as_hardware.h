// A replay that grants a program what it got from the hardware, where the program needs it.
#pragma once

#include <cstdint>
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
// mapped in another replay; if bytes differ, threads advance side by side in another replay, which counts if
// none differ there; it is given up where some do, or after `most_steps` of warps, for it takes some 20 times
// as long as the first, and then a note says so. Tools of `options` see one replay, as it is. Throws what
// replay() throws.
constexpr std::uint64_t most_steps_side_by_side = 1 << 25;  // some seconds
Granted replay_as_hardware(const Trace& trace, const ReplayOptions& options,
                           std::uint64_t most_steps = most_steps_side_by_side);

}  // namespace wedjat::traces
