/* Libraries list their kernels, options of a load, files for a link that is over, texts that are too short,
 * and memory that was registered beside this address. */
#include <stdlib.h>

#include "tell.h"

static const char ptx[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry a() { ret; }\n.visible .entry b() { ret; "
    "}\n";

int main(void) {
  CUcontext context;
  CUlibrary library;
  CUkernel kernels[2];
  CUmodule module;
  CUlinkState link;
  CUjit_option option = CU_JIT_MAX_REGISTERS;
  void* value = (void*)(size_t)32;
  void* code;
  size_t size;
  char text[20];
  char* const pages = aligned_alloc(4096, 8192);
  if (cuInit(0) != CUDA_SUCCESS || cuCtxCreate(&context, NULL, 0, 0) != CUDA_SUCCESS) return 1;
  T(cuLibraryLoadData(&library, ptx, NULL, NULL, 0, NULL, NULL, 0));
  T(cuLibraryEnumerateKernels(kernels, 2, library));
  T(cuLibraryEnumerateKernels(kernels, 0, library));
  T(cuLibraryEnumerateKernels(NULL, 2, library));
  T(cuModuleLoadDataEx(&module, ptx, 1, &option, &value));
  option = (CUjit_option)999;
  T(cuModuleLoadDataEx(&module, ptx, 1, &option, &value));
  T(cuLinkCreate(0, NULL, NULL, &link));
  T(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void*)ptx, sizeof ptx, "a", 0, NULL, NULL));
  T(cuLinkComplete(link, &code, &size));
  T(cuLinkAddFile(link, CU_JIT_INPUT_PTX, "/nowhere", 0, NULL, NULL));
  T(cuLinkDestroy(link));
  T(cuDeviceGetPCIBusId(text, 4, 0));
  T(cuDeviceGetPCIBusId(text, 20, 0));
  T(cuMemHostRegister(pages, 8192, 0));
  T(cuMemHostUnregister(pages + 4096));
  T(cuMemHostUnregister(pages));
  T(cuMemHostUnregister(pages));
  return 0;
}
