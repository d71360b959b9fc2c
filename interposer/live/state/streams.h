// Which stream a call works in.
#pragma once

#include "interposer/live/state/driver.h"

namespace wedjat::live {

// Null for the default streams, of the device or of the thread. Fails with CUDA_ERROR_INVALID_HANDLE.
CUstream_st* stream_of(CUstream handle);

}  // namespace wedjat::live
