// What launches change in device memory, kept with `wedjat record --verify`. Every launch is waited for then.
#pragma once

#include "interposer/shim/events/call.h"

namespace wedjat::interposer {

// Around a launch of a kernel or a graph.
void effects_begin(const Call& call);
void effects_end(const Call& call);

}  // namespace wedjat::interposer
