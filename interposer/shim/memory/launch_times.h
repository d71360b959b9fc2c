// What launches take on the hardware, where the recorder was asked for it: an event of the driver before and
// one behind each. Nothing waits for them; those that are over are read when the next launch comes and when
// the process ends.
#pragma once

#include "interposer/shim/events/call.h"

namespace wedjat::interposer {

void launch_time_begins(const Call& call);
void launch_time_ends(const Call& call);

/// Tells the times of launches that are over.
void tell_launch_times();

}  // namespace wedjat::interposer
