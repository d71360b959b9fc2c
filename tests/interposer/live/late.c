/* Calls the driver when the program is about to end, as destructors of static objects do, and leaves memory.
 */
#include <string.h>
#include <unistd.h>

#include "tests/interposer/live/check.h"

static const char* const ptx =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry fill(.param .u64 to, .param .u32 value) {\n"
    "  .reg .b64 %d<3>; .reg .b32 %r<3>;\n"
    "  ld.param.u64 %d0, [to]; ld.param.u32 %r1, [value]; mov.u32 %r0, %tid.x;\n"
    "  mul.wide.u32 %d1, %r0, 4; add.u64 %d2, %d0, %d1; st.global.u32 [%d2], %r1; ret; }\n";

static CUcontext context;
static CUfunction fill;
static CUdeviceptr memory, left;

static void check(unsigned value, CUstream stream) {
  unsigned words[64];
  void* parameters[] = {&memory, &value};
  memset(words, 0, sizeof words);
  CHECK(cuLaunchKernel(fill, 1, 1, 1, 64, 1, 1, 0, stream, parameters, NULL));
  CHECK(cuMemcpyDtoH(words, memory, sizeof words));
  for (int i = 0; i < 64; ++i) EXPECT(words[i] == value);
}

static void late(void) {
  CUcontext current = NULL;
  CHECK(cuCtxGetCurrent(&current));
  EXPECT(current == context);
  check(6, NULL);
  check(7, CU_STREAM_PER_THREAD);
  CHECK(cuMemFree(memory));
  CHECK(cuCtxSynchronize());
  if (wrong != 0) _exit(1);
}

/* The driver has ended by then: it registered its end after this. */
static void too_late(void) {
  EXPECT_CODE(CUDA_ERROR_DEINITIALIZED, cuCtxSynchronize());
  EXPECT_CODE(CUDA_ERROR_DEINITIALIZED, cuMemFree(left));
  if (wrong != 0) _exit(1);
}

int main(void) {
  CUmodule module;
  atexit(too_late);
  CHECK(cuInit(0));
  atexit(late);
  CHECK(cuCtxCreate(&context, NULL, 0, 0));
  CHECK(cuModuleLoadData(&module, ptx));
  CHECK(cuModuleGetFunction(&fill, module, "fill"));
  CHECK(cuMemAlloc(&memory, 64 * 4));
  CHECK(cuMemAlloc(&left, 64 * 4));
  check(5, CU_STREAM_PER_THREAD);
  return wrong;
}
