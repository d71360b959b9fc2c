/* What the driver answers to calls that are wrong. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/interposer/live/check.h"

static const char* const ptx =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .global .u32 number = 5;\n"
    ".visible .entry store(.param .u64 to) {\n  .reg .b64 %d;\n  ld.param.u64 %d, [to];\n"
    "  st.global.u32 [%d], 7;\n  ret;\n}\n";

static const char* const unknown_instruction =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry store() { ret; }\n"
    ".visible .entry other() {\n  .reg .b32 %a; frob.b32 %a, %a;\n  ret;\n}\n";

int main(void) {
  CUcontext context, other;
  CUmodule module;
  CUfunction store;
  CUdeviceptr memory;
  unsigned word = 1;
  void* parameters[] = {&memory};
  int number;

  EXPECT_CODE(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&number));
  EXPECT_CODE(CUDA_ERROR_NOT_INITIALIZED, cuMemAlloc(&memory, 4));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuInit(1));
  CHECK(cuInit(0));
  EXPECT_CODE(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&memory, 4));
  /* What kernels a library has nobody needs a context for. */
  {
    CUlibrary library;
    CUkernel kernel;
    CHECK(cuLibraryLoadData(&library, ptx, NULL, NULL, 0, NULL, NULL, 0));
    CHECK(cuLibraryGetKernel(&kernel, library, "store"));
    EXPECT_CODE(CUDA_ERROR_NOT_FOUND, cuLibraryGetKernel(&kernel, library, "nobody"));
    CHECK(cuLibraryUnload(library));
  }
  EXPECT_CODE(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&number, 1));
  EXPECT_CODE(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&number, -1));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuDeviceGet(NULL, 0));
  CHECK(cuCtxCreate(&context, NULL, 0, 0));

  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(NULL, 4));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(&memory, 0));
  EXPECT_CODE(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&memory, (size_t)1 << 40));
  CHECK(cuMemAlloc(&memory, 4));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuMemFree(memory + 1));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(memory, &word, 8));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(NULL, memory, 4));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(memory + 2, 0, 1));
  CHECK(cuMemFree(0));

  EXPECT_CODE(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&module, "no code at all"));
  EXPECT_CODE(CUDA_ERROR_FILE_NOT_FOUND, cuModuleLoad(&module, "/nowhere/at/all.ptx"));
  EXPECT_CODE(CUDA_ERROR_INVALID_PTX, cuModuleLoadData(&module, ".version 8.0\n.target sm_90\nnonsense"));
  /* What no kernel asks for is compiled all the same. */
  {
    char log[400] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {log, (void*)sizeof log};
    EXPECT_CODE(CUDA_ERROR_INVALID_PTX, cuModuleLoadDataEx(&module, unknown_instruction, 2, options, values));
    EXPECT((strstr(log, ":6:") != NULL || strstr(log, "line 6;") != NULL) && strstr(log, "frob") != NULL);
    EXPECT((size_t)values[1] == strlen(log));
    values[1] = (void*)sizeof log;
    CHECK(cuModuleLoadDataEx(&module, ptx, 2, options, values));
    EXPECT(values[1] == NULL);
    CHECK(cuModuleUnload(module));
  }
  CHECK(cuModuleLoadData(&module, ptx));
  /* A variable is no memory of the host because a copy is larger than it. */
  {
    static char large[1 << 16];
    CUdeviceptr variable;
    size_t bytes;
    CHECK(cuModuleGetGlobal(&variable, &bytes, module, "number"));
    EXPECT(bytes == 4);
    EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuMemcpy(variable, (CUdeviceptr)large, sizeof large));
    EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuMemcpy((CUdeviceptr)large, variable, sizeof large));
  }
  EXPECT_CODE(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&store, module, "nobody"));
  CHECK(cuModuleGetFunction(&store, module, "store"));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(store, 0, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE,
              cuLaunchKernel(store, 1, 1, 1, 1025, 1, 1, 0, NULL, parameters, NULL));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE,
              cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 50000, NULL, parameters, NULL));
  EXPECT_CODE(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy((CUcontext)&word));
  CHECK(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
  CHECK(cuMemcpyDtoH(&word, memory, 4));
  EXPECT(word == 7);

  /* A child of fork() has no device. */
  {
    int status = -1;
    const pid_t child = fork();
    if (child == 0) _exit(cuMemAlloc(&memory, 4) == CUDA_ERROR_NOT_INITIALIZED ? 0 : 1);
    EXPECT(waitpid(child, &status, 0) == child && status == 0);
  }

  CHECK(cuMemFree(memory));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuMemFree(memory));
  /* The kernel fails after it was launched, and nothing works in any context any more. */
  memory = 16;
  CHECK(cuCtxCreate(&other, NULL, 0, 0));
  CHECK(cuCtxPopCurrent(NULL));
  CHECK(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
  EXPECT_CODE(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
  EXPECT_CODE(CUDA_ERROR_ILLEGAL_ADDRESS, cuMemAlloc(&memory, 4));
  CHECK(cuCtxDestroy(context));
  EXPECT_CODE(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&memory, 4));
  CHECK(cuCtxSetCurrent(other));
  EXPECT_CODE(CUDA_ERROR_ILLEGAL_ADDRESS, cuMemAlloc(&memory, 4));
  EXPECT_CODE(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxCreate(&context, NULL, 0, 0));
  CHECK(cuCtxDestroy(other));
  EXPECT_CODE(CUDA_ERROR_ILLEGAL_ADDRESS, cuDevicePrimaryCtxRetain(&context, 0));
  return wrong;
}
