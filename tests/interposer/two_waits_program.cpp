// Two threads wait for the same two copies; what the second does with the small one, once it has waited,
// comes while the recorder still takes down the large one for the first.
#include <dlfcn.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <thread>
#include <vector>

#include "cuda_abi.h"

namespace {

template <typename Function>
Function find(const char* symbol) {
  static void* const library = dlopen("libcuda.so.1", RTLD_NOW);
  return library ? reinterpret_cast<Function>(dlsym(library, symbol)) : nullptr;
}

void check(CUresult result) {
  if (result == CUDA_SUCCESS) return;
  std::fprintf(stderr, "driver error %d\n", static_cast<int>(result));
  std::exit(99);
}

}  // namespace

int main() {
  constexpr size_t bytes = 32 << 20;
  const auto copy = find<CUresult (*)(void*, CUdeviceptr, size_t, CUstream)>("cuMemcpyDtoHAsync_v2");
  const auto alloc = find<CUresult (*)(CUdeviceptr*, size_t)>("cuMemAlloc_v2");
  const auto host_alloc = find<CUresult (*)(void**, size_t, unsigned)>("cuMemHostAlloc");
  const auto to_device = find<CUresult (*)(CUdeviceptr, const void*, size_t)>("cuMemcpyHtoD_v2");
  CUcontext context = nullptr;
  CUstream stream = nullptr;
  CUdeviceptr large = 0, small = 0;
  void *large_here = nullptr, *small_here = nullptr;
  check(find<CUresult (*)(unsigned)>("cuInit")(0));
  check(find<CUresult (*)(CUcontext*, CUdevice)>("cuDevicePrimaryCtxRetain")(&context, 0));
  check(find<CUresult (*)(CUcontext)>("cuCtxSetCurrent")(context));
  check(find<CUresult (*)(CUstream*, unsigned)>("cuStreamCreate")(&stream, CU_STREAM_NON_BLOCKING));
  check(alloc(&large, bytes));
  check(alloc(&small, sizeof(unsigned)));
  check(host_alloc(&large_here, bytes, 0));
  check(host_alloc(&small_here, sizeof(unsigned), 0));

  std::vector<unsigned> contents(bytes / sizeof(unsigned));
  std::minstd_rand random;  // nothing that packs quickly
  for (unsigned& word : contents) word = static_cast<unsigned>(random());
  const unsigned seven = 7;
  check(to_device(large, contents.data(), bytes));
  check(to_device(small, &seven, sizeof seven));
  check(copy(large_here, large + 4, bytes - 4, stream));  // contents that the recorder has not packed yet
  check(copy(small_here, small, sizeof seven, stream));
  std::thread first([context] {
    check(find<CUresult (*)(CUcontext)>("cuCtxSetCurrent")(context));
    check(find<CUresult (*)()>("cuCtxSynchronize")());
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  check(find<CUresult (*)(CUstream)>("cuStreamSynchronize")(stream));
  *static_cast<unsigned*>(small_here) = 99;
  first.join();
  return 0;
}
