// Which stream a call works in.
#pragma once

#include "interposer/live/state/driver.h"

namespace wedjat::live {

// The default stream of the device, or of the thread.
bool is_default(CUstream handle);

// The default stream of the device, which a function of the per-thread flavour does not mean by 0.
bool is_legacy(CUstream handle);

// Null for the default stream of the device, and for that of the thread as long as it was never captured.
// Fails with CUDA_ERROR_INVALID_HANDLE.
CUstream_st* stream_of(CUstream handle);

// For calls that capture: the default stream of the thread is there from then on. Null for that of the
// device.
CUstream_st* stream_to_capture(CUstream handle);

// For calls that wait: a stream that is captured cannot be waited for, and the attempt ends its capture
// (CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED).
void check_waitable(CUstream handle);

}  // namespace wedjat::live
