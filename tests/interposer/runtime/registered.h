// What nvcc puts around a program's device code, for programs that do it by hand.
#pragma once

#include <cstdio>

#include "runtime_abi.h"

extern "C" {
void** __cudaRegisterFatBinary(void* image);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaRegisterFunction(void** handle, const char* host, char* device, const char* name, int limit,
                            void* tid, void* bid, dim3* block, dim3* grid, int* warp);
void __cudaRegisterVar(void** handle, char* host, char* device, const char* name, int ext, size_t size,
                       int constant, int global);
}

inline int failures = 0;
#define CHECK(condition) \
  ((condition) ? 0 : (std::printf("line %d: not so: %s\n", __LINE__, #condition), ++failures))
#define WELL(call) CHECK((call) == cudaSuccess)

struct FatbinWrapper {
  int magic = 0x466243b1, version = 1;
  const void* data;
  void* more = nullptr;
};
