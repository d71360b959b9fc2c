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
CUfunction function_of(const void* host);
Symbol symbol_of(const void* host);
// After the device was reset: images have to be loaded anew.
void forget_loaded();

}  // namespace wedjat::runtime
