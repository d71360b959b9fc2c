#include "interposer/runtime/state.h"

#include <cstdio>
#include <mutex>
#include <set>
#include <string>

namespace wedjat::runtime {
namespace {

thread_local cudaError_t last = cudaSuccess;

// Never destroyed: a program may call while it ends.
struct Primary {
  std::mutex mutex;
  CUcontext context = nullptr;  // null: to be had
  unsigned resets = 0;
};

Primary& primary() {
  static Primary& only = *new Primary;
  return only;
}

thread_local unsigned seen_resets = 0;

}  // namespace

void ready() {
  CUcontext current = nullptr;
  bool is_new = false;
  {
    const std::lock_guard lock(primary().mutex);
    is_new = primary().context == nullptr || seen_resets != primary().resets;
  }
  if (!is_new && cuCtxGetCurrent(&current) == CUDA_SUCCESS && current != nullptr) return;
  use_primary();
}

void use_primary() {
  Primary& only = primary();
  const std::lock_guard lock(only.mutex);
  if (only.context == nullptr) {
    must(cuInit(0));
    // After a kernel failed there is no device any more for this process, whatever is reset.
    require(cuDevicePrimaryCtxRetain(&only.context, 0) == CUDA_SUCCESS, cudaErrorDevicesUnavailable);
  }
  seen_resets = only.resets;
  must(cuCtxSetCurrent(only.context));
}

// What other threads have as their context is gone too: they take the new one with their next call.
cudaError_t reset_primary() {
  Primary& only = primary();
  const std::lock_guard lock(only.mutex);
  CUresult result = cuInit(0);
  if (result == CUDA_SUCCESS) result = cuDevicePrimaryCtxReset_v2(0);
  if (result != CUDA_SUCCESS) return as_runtime(result);
  only.context = nullptr;
  ++only.resets;
  return cudaSuccess;
}

CUcontext current_context() {
  CUcontext context = nullptr;
  must(cuCtxGetCurrent(&context));
  return context;
}

cudaError_t remembered(cudaError_t code) {
  // What is not over yet is no error.
  if (code != cudaSuccess && code != cudaErrorNotReady) last = code;
  return code;
}

cudaError_t last_error(bool take) {
  const cudaError_t error = last;
  if (take) last = cudaSuccess;
  return error;
}

cudaError_t unsupported(const char* name) noexcept {
  static std::mutex& mutex = *new std::mutex;
  static auto& told = *new std::set<std::string>;
  const std::lock_guard lock(mutex);
  if (told.insert(name).second)
    std::fprintf(stderr, "wedjat: %s is not carried out: cudaErrorNotSupported\n", name);
  return remembered(cudaErrorNotSupported);
}

}  // namespace wedjat::runtime
