// What nvcc's code registers before main(): images, and by the addresses of their stand-ins on the host,
// kernels and variables.
#pragma once

#include <string>

#include "interposer/runtime/state.h"

namespace wedjat::runtime {

struct Symbol {
  CUdeviceptr address;
  size_t bytes;
};

// All load the image when it is first needed, and throw Failure.
CUfunction function_of(const void* host);  // also of a handle of a library's kernel, or of a function
// Of a kernel that is registered; fail with cudaErrorInvalidDeviceFunction.
CUfunction function_of_symbol(const void* host);
CUkernel kernel_of_symbol(const void* host);
const char* registered_name(const void* host);  // of a kernel; null if it is not registered
Symbol symbol_of(const void* host);
// Bytes within a variable; fails with cudaErrorInvalidValue where it ends before.
CUdeviceptr inside(const void* variable, size_t bytes, size_t offset);
CUlaunchConfig as_driver(const cudaLaunchConfig_t* config);
// What stands for the kernel on the host; the handle itself for one that nobody registered.
const void* host_of(CUfunction function);
// After the device was reset: images have to be loaded anew.
void forget_loaded();

}  // namespace wedjat::runtime
