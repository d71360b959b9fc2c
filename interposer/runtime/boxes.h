// Copies of boxes as the runtime tells them: elements of arrays where one takes part, bytes otherwise.
#pragma once

#include "interposer/runtime/state.h"

namespace wedjat::runtime {

void check_direction(cudaMemcpyKind kind);
// Fails with cudaErrorInvalidValue where a side is not told, or told twice.
CUDA_MEMCPY3D as_driver(const cudaMemcpy3DParms* copy);
cudaMemcpy3DParms as_runtime(const CUDA_MEMCPY3D& copy);

}  // namespace wedjat::runtime
