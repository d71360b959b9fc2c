// A driver without a GPU: device memory is host memory, the kernels are those of kernels.cpp, and
// asynchronous work really waits until someone waits for it. Everything else comes from generated stubs that
// refuse.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "cuda_abi.h"

#define FAKE extern "C" __attribute__((visibility("default")))

namespace fake {

// Appends work to a stream, or does it at once if `now`.
void enqueue(CUstream stream, std::function<void()> work);
void run_stream(CUstream stream);
void run_everything();

// A kernel by name: what it does, and offset and size of each parameter.
struct Parameter {
  size_t offset;
  size_t size;
};
struct Kernel {
  const char* name;
  std::vector<Parameter> parameters;
  std::function<void(const std::byte* parameters, unsigned threads)> body;
};
// Set by a launch of the kernel `endless`: a wait would not return.
inline bool endless_work = false;

const Kernel* find_kernel(const char* name);
inline const Kernel& kernel(const void* handle) { return *static_cast<const Kernel*>(handle); }

// 2: device, 1: pinned host, 0: the driver does not know this address.
unsigned memory_type(CUdeviceptr address);
bool is_managed(CUdeviceptr address);
// Where the device finds what has this address.
void* device_view(const void* memory);

}  // namespace fake
