// The contexts that handles live in: they stand in where no context is current.
#pragma once

#include <cstddef>

#include "cuda_abi.h"

namespace wedjat::live {

// Null where the handle is none that is known: the call itself says so. A default stream lives in the current
// context, and fails with CUDA_ERROR_INVALID_CONTEXT where there is none.
CUcontext context_of(CUstream handle);
CUcontext context_of(CUevent handle);
CUcontext context_of(CUfunction handle);
CUcontext context_of(CUmodule handle);
CUcontext context_of(CUarray handle);
CUcontext context_of(CUmipmappedArray handle);
CUcontext context_of(CUkernel handle);  // of none: any will do that there is
CUcontext context_of(CUdeviceptr address);
CUcontext context_of(const void* address);
inline CUcontext context_of(std::nullptr_t) { return nullptr; }  // the call is given no such handle

}  // namespace wedjat::live
