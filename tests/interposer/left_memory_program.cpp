// A driver-API program that brings nothing to the host. Argument: what becomes of its memory.
//   live     nothing: the program ends with it
//   freed    cuMemFree
//   later    cuMemAllocAsync, cuMemFreeAsync
//   waited   as live, after a wait
//   endless  as live, while a kernel never ends
//   copied   as freed, after a copy to the host
//   wrong    as live, with PTX that adds another number than the kernel the fake driver runs
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "cuda_abi.h"

namespace {

// increment(unsigned* data, unsigned count), as the fake driver has it.
constexpr const char* kPtx = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry increment(.param .u64 data, .param .u32 count)
{
  .reg .b32 %i, %x;
  .reg .b64 %at, %offset;
  mov.u32 %i, %tid.x;
  ld.param.u64 %at, [data];
  mul.wide.u32 %offset, %i, 4;
  add.u64 %at, %at, %offset;
  ld.global.u32 %x, [%at];
  add.u32 %x, %x, ADDEND;
  st.global.u32 [%at], %x;
  ret;
}
.visible .entry endless() { ret; }
)";

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

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "live";
  std::string text = kPtx;
  text.replace(text.find("ADDEND"), 6, how == "wrong" ? "2" : "1");
  const auto launch = find<CUresult (*)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned,
                                        unsigned, unsigned, CUstream, void**, void**)>("cuLaunchKernel");
  const auto function = find<CUresult (*)(CUfunction*, CUmodule, const char*)>("cuModuleGetFunction");
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction increment = nullptr, endless = nullptr;
  check(find<CUresult (*)(unsigned)>("cuInit")(0));
  check(find<CUresult (*)(CUcontext*, CUdevice)>("cuDevicePrimaryCtxRetain")(&context, 0));
  check(find<CUresult (*)(CUcontext)>("cuCtxSetCurrent")(context));
  check(find<CUresult (*)(CUmodule*, const void*)>("cuModuleLoadData")(&module, text.c_str()));
  check(function(&increment, module, "increment"));
  check(function(&endless, module, "endless"));
  CUdeviceptr data = 0;
  CUstream stream = nullptr;
  check(find<CUresult (*)(CUstream*, unsigned)>("cuStreamCreate")(&stream, CU_STREAM_NON_BLOCKING));
  unsigned numbers[256], count = 256;
  for (unsigned i = 0; i < count; ++i) numbers[i] = i;
  if (how == "later")
    check(
        find<CUresult (*)(CUdeviceptr*, size_t, CUstream)>("cuMemAllocAsync")(&data, sizeof numbers, stream));
  else
    check(find<CUresult (*)(CUdeviceptr*, size_t)>("cuMemAlloc_v2")(&data, sizeof numbers));
  check(
      find<CUresult (*)(CUdeviceptr, const void*, size_t)>("cuMemcpyHtoD_v2")(data, numbers, sizeof numbers));
  void* parameters[] = {&data, &count};
  check(launch(increment, 1, 1, 1, count, 1, 1, 0, stream, parameters, nullptr));
  if (how == "endless") check(launch(endless, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr));
  if (how == "waited") check(find<CUresult (*)()>("cuCtxSynchronize")());
  if (how == "copied") {
    check(find<CUresult (*)(CUstream)>("cuStreamSynchronize")(stream));
    check(find<CUresult (*)(void*, CUdeviceptr, size_t)>("cuMemcpyDtoH_v2")(numbers, data, sizeof numbers));
  }
  if (how == "freed" || how == "copied") check(find<CUresult (*)(CUdeviceptr)>("cuMemFree_v2")(data));
  if (how == "later") check(find<CUresult (*)(CUdeviceptr, CUstream)>("cuMemFreeAsync")(data, stream));
  return 0;
}
