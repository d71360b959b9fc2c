// Kernels with their parameters, ready to be launched.
#pragma once

#include "interposer/live/state/work.h"
#include "interposer/live/work/modules.h"

namespace wedjat::live {

// As the kernel takes them. Fails with CUDA_ERROR_INVALID_VALUE where one is missing. The buffer is used
// again by the thread's next call.
std::span<const std::byte> packed_parameters(const CUfunc_st& function, void** parameters, void** extra);

// Fails with CUDA_ERROR_INVALID_VALUE where the device has no such shared memory for it.
void check_shared(CUfunc_st& function, std::uint64_t dynamic);

// Fails with CUDA_ERROR_INVALID_VALUE for a launch that the device cannot carry out.
void launch(CUfunc_st& function, const device::LaunchConfig& config, std::span<const std::byte> parameters);

}  // namespace wedjat::live
