// What calls of the runtime share: the device is made ready when it is first needed, and every thread has a
// last error.
#pragma once

#include <stdexcept>

#include "cuda.h"
#include "runtime_abi.h"

#define WEDJAT_EXPORT __attribute__((visibility("default")))

namespace wedjat::runtime {

// Codes of the runtime are those of the driver.
inline cudaError_t as_runtime(CUresult result) { return static_cast<cudaError_t>(result); }

// A call of the driver or of ours went wrong.
struct Failure {
  cudaError_t code;
};
inline void must(CUresult result) {
  if (result != CUDA_SUCCESS) throw Failure{as_runtime(result)};
}
inline void require(bool condition, cudaError_t otherwise = cudaErrorInvalidValue) {
  if (!condition) throw Failure{otherwise};
}

// Tells of a kernel that failed, where nothing else would.
inline void must_be_unharmed() {
  CUfunc_cache preferred{};
  must(cuCtxGetCacheConfig(&preferred));
}

// The attribute of a device or of a function.
template <class Which, class Of>
int attribute(CUresult (*ask)(int*, Which, Of), Which which, Of of) {
  int value = 0;
  must(ask(&value, which, of));
  return value;
}

// Structures of the driver say the shape of a launch in six numbers.
template <class Parameters>
void set_shape(Parameters& same, dim3 grid, dim3 block) {
  same.gridDimX = grid.x;
  same.gridDimY = grid.y;
  same.gridDimZ = grid.z;
  same.blockDimX = block.x;
  same.blockDimY = block.y;
  same.blockDimZ = block.z;
}

extern const int version;  // as CUDA_VERSION, of the library that these calls are in

// The device is ready, and the calling thread has a context: the primary one, unless the program set another.
void ready();
// As cudaSetDevice: the calling thread uses the primary context.
void use_primary();
cudaError_t reset_primary();
CUcontext current_context();

cudaError_t remembered(cudaError_t code);  // stays the thread's last one unless it is cudaSuccess
cudaError_t last_error(bool take);

// A function that is exported and does nothing: told once.
cudaError_t unsupported(const char* name) noexcept;

template <class Body>
cudaError_t perform(const Body& body) noexcept {
  try {
    ready();
    return remembered(body());
  } catch (const Failure& failure) {
    return remembered(failure.code);
  } catch (...) {
    return remembered(cudaErrorMemoryAllocation);
  }
}

// The thread's own default stream instead of stream 0.
inline cudaStream_t own_stream(cudaStream_t stream) {
  return stream == nullptr ? reinterpret_cast<cudaStream_t>(std::size_t{2}) : stream;
}

}  // namespace wedjat::runtime
