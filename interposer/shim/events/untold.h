// Events whose number was given and that are yet to be written, told where it outlives a killed process.
#pragma once

#include <cstdint>

#include "traces/format/state.h"

namespace wedjat::interposer {

/// Null if there is no room: such an event is just missing if the program is killed.
traces::UntoldEvent* is_untold(std::uint64_t sequence, std::uint64_t call);
/// The event is written.
void is_told(traces::UntoldEvent* event);

}  // namespace wedjat::interposer
