// Kernels that fail, on the hardware and here.
#pragma once

#include <string>

#include "traces/read/trace.h"

namespace wedjat::traces {

// Whether the call gave an error that a kernel caused before it: CUDA_ERROR_ILLEGAL_ADDRESS,
// CUDA_ERROR_ASSERT and their like, after which the context gives nothing else (cuda.h, CUresult).
bool says_kernel_failed(const Call& call);

// "cuCtxSynchronize (seq 12) gave CUDA_ERROR_ASSERT"
std::string shown_failure(const Call& call);

}  // namespace wedjat::traces
