// Host functions the driver calls: the application's function still runs, and the trace tells that it did.
#pragma once

#include "interposer/shim/events/call.h"

namespace wedjat::interposer {

// All replace the function and its data by our own, which call the application's.
void host_function(const Call& call, CUhostFn& function, void*& data);
void node_function(const Call& call, CUhostFn& function, void*& data);  // of a graph's host node
void stream_callback(const Call& call, CUstreamCallback& function, void*& data);

}  // namespace wedjat::interposer
