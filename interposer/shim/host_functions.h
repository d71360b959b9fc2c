// Host functions the driver calls: the application's function still runs, and the trace tells that it did.
#pragma once

#include "interposer/shim/call.h"

namespace wedjat::interposer {

// Both replace the function and its data by our own, which call the application's.
void host_function(const Call& call, CUhostFn& function, void*& data);
void stream_callback(const Call& call, CUstreamCallback& function, void*& data);

}  // namespace wedjat::interposer
