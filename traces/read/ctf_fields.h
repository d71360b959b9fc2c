// From a babeltrace event to ours.
#pragma once

#include <babeltrace2/babeltrace.h>

#include "traces/read/event.h"

namespace wedjat::traces {

// Throws std::runtime_error if the event has no `seq` or a field class LTTng does not write.
Event event_of(const bt_event* event);

}  // namespace wedjat::traces
