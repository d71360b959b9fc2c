/* Accesses that a GPU does not notice: beyond 40 bytes, beyond 28 bytes of shared memory, to memory that was
 * given back while its page has other memory. And one that it does. Under --lenient only the last one is an
 * error. */
#include "tests/interposer/live/check.h"

static const char* const ptx =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry add(.param .u64 from, .param .u64 to) {\n"
    "  .reg .b64 %d<3>; .reg .b32 %r<3>; .shared .align 4 .b8 room[28];\n"
    "  ld.param.u64 %d0, [from]; ld.param.u64 %d1, [to]; ld.global.u32 %r0, [%d0];\n"
    "  mov.u32 %r1, 5; st.shared.u32 [room+100], %r1; ld.shared.u32 %r2, [room+100];\n"
    "  add.u32 %r0, %r0, %r2; st.global.u32 [%d1], %r0;\n  ret;\n}\n";

static CUfunction add;

static CUresult launch(CUdeviceptr from, CUdeviceptr to) {
  void* parameters[] = {&from, &to};
  const CUresult launched = cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL);
  return launched != CUDA_SUCCESS ? launched : cuCtxSynchronize();
}

int main(void) {
  CUcontext context;
  CUmodule module;
  CUdeviceptr small, gone;
  unsigned value = 0;
  CHECK(cuInit(0));
  CHECK(cuCtxCreate(&context, NULL, 0, 0));
  CHECK(cuModuleLoadData(&module, ptx));
  CHECK(cuModuleGetFunction(&add, module, "add"));
  CHECK(cuMemAlloc(&small, 40));
  CHECK(cuMemAlloc(&gone, 64));
  CHECK(launch(small, small + 44)); /* beyond it: 0 + 5 */
  CHECK(launch(small + 44, small)); /* 5 + 5 */
  CHECK(cuMemcpyDtoH(&value, small, sizeof value));
  EXPECT(value == 10);
  CHECK(launch(small, gone));
  CHECK(cuMemFree(gone));
  CHECK(launch(gone, small)); /* 15 + 5 */
  CHECK(cuMemcpyDtoH(&value, small, sizeof value));
  EXPECT(value == 20);
  /* Memory that processes share lies among the other, which goes on. */
  {
    CUipcMemHandle handle;
    CUdeviceptr more;
    CHECK(cuIpcGetMemHandle(&handle, small));
    CHECK(cuMemAlloc(&more, 64));
    CHECK(cuIpcGetMemHandle(&handle, more));
    CHECK(launch(small + 44, more)); /* 0 + 5: new memory came between */
    CHECK(cuMemcpyDtoH(&value, more, sizeof value));
    EXPECT(value == 5);
  }
  EXPECT_CODE(CUDA_ERROR_ILLEGAL_ADDRESS, launch(small + ((size_t)1 << 36), small));
  return wrong;
}
