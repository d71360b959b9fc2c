// What the programs that are recorded have in common: they find the driver as CUDA programs do, and end where
// it refuses a call.
#pragma once

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#include "cuda_abi.h"

namespace test {

template <typename Function>
Function find(const char* symbol) {
  static void* const library = dlopen("libcuda.so.1", RTLD_NOW);
  return library ? reinterpret_cast<Function>(dlsym(library, symbol)) : nullptr;
}

inline void check(CUresult result) {
  if (result == CUDA_SUCCESS) return;
  std::fprintf(stderr, "driver error %d\n", static_cast<int>(result));
  std::exit(99);
}

template <typename... Arguments>
void call(const char* symbol, Arguments... arguments) {
  check(find<CUresult (*)(Arguments...)>(symbol)(arguments...));
}

// The first device's context, made current.
inline CUcontext begin() {
  CUcontext context = nullptr;
  call("cuInit", 0u);
  call("cuDevicePrimaryCtxRetain", &context, CUdevice{0});
  call("cuCtxSetCurrent", context);
  return context;
}

inline CUmodule load(const void* image) {
  CUmodule module = nullptr;
  call("cuModuleLoadData", &module, image);
  return module;
}

inline CUfunction function_of(CUmodule module, const char* name) {
  CUfunction function = nullptr;
  call("cuModuleGetFunction", &function, module, name);
  return function;
}

// One dimension of blocks and threads.
inline void launch(CUfunction function, unsigned blocks, unsigned threads, CUstream stream,
                   void** parameters) {
  call("cuLaunchKernel", function, blocks, 1u, 1u, threads, 1u, 1u, 0u, stream, parameters,
       static_cast<void**>(nullptr));
}

inline CUdeviceptr device_memory(size_t bytes) {
  CUdeviceptr memory = 0;
  call("cuMemAlloc_v2", &memory, bytes);
  return memory;
}

template <typename T = unsigned>
T* pinned_memory(size_t bytes) {
  void* memory = nullptr;
  call("cuMemHostAlloc", &memory, bytes, 0u);
  return static_cast<T*>(memory);
}

inline CUstream stream() {
  CUstream made = nullptr;
  call("cuStreamCreate", &made, static_cast<unsigned>(CU_STREAM_NON_BLOCKING));
  return made;
}

inline void to_device(CUdeviceptr to, const void* from, size_t bytes) {
  call("cuMemcpyHtoD_v2", to, from, bytes);
}
inline void to_host(void* to, CUdeviceptr from, size_t bytes) { call("cuMemcpyDtoH_v2", to, from, bytes); }
inline void to_device_later(CUdeviceptr to, const void* from, size_t bytes, CUstream stream = nullptr) {
  call("cuMemcpyHtoDAsync_v2", to, from, bytes, stream);
}
inline void to_host_later(void* to, CUdeviceptr from, size_t bytes, CUstream stream = nullptr) {
  call("cuMemcpyDtoHAsync_v2", to, from, bytes, stream);
}
inline void wait() { call("cuCtxSynchronize"); }
inline void wait(CUstream stream) { call("cuStreamSynchronize", stream); }

}  // namespace test
