// Errors and versions: what needs no device.
#include "interposer/runtime/state.h"
#include "runtime_calls.h"

namespace wedjat::runtime::calls {

cudaError_t cudaGetLastError() { return last_error(true); }
cudaError_t cudaPeekAtLastError() { return last_error(false); }

const char* cudaGetErrorName(cudaError_t error) {
#define WEDJAT_ERROR_NAME(name) \
  case name:                    \
    return #name;
  switch (error) {
#include "error_names.inc"
    default:
      return "unrecognized error code";
  }
#undef WEDJAT_ERROR_NAME
}

// The driver has the same codes, and their texts.
const char* cudaGetErrorString(cudaError_t error) {
  const char* text = nullptr;
  if (error == cudaSuccess) return "no error";
  if (cuGetErrorString(static_cast<CUresult>(error), &text) == CUDA_SUCCESS && text != nullptr) return text;
  return cudaGetErrorName(error);
}

cudaError_t cudaDriverGetVersion(int* version) {
  return version == nullptr ? cudaErrorInvalidValue : as_runtime(cuDriverGetVersion(version));
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  if (version == nullptr) return remembered(cudaErrorInvalidValue);
  *version = runtime::version;
  return cudaSuccess;
}

}  // namespace wedjat::runtime::calls
