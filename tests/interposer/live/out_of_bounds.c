/* One thread too many: what memory_check is for. Ends well if the driver tells the failure. */
#include "tests/interposer/live/check.h"

static const char* const ptx =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry store(.param .u64 to) {\n"
    "  .reg .b64 %d<3>; .reg .b32 %r<2>;\n  ld.param.u64 %d0, [to]; mov.u32 %r0, %tid.x;\n"
    "  mul.wide.u32 %d1, %r0, 4; add.u64 %d2, %d0, %d1;\n  st.global.u32 [%d2], %r0;\n  ret;\n}\n";

int main(void) {
  CUcontext context;
  CUmodule module;
  CUfunction store;
  CUdeviceptr memory;
  void* parameters[] = {&memory};
  CHECK(cuInit(0));
  CHECK(cuCtxCreate(&context, NULL, 0, 0));
  CHECK(cuModuleLoadData(&module, ptx));
  CHECK(cuModuleGetFunction(&store, module, "store"));
  CHECK(cuMemAlloc(&memory, 64 * 4));
  CHECK(cuLaunchKernel(store, 1, 1, 1, 65, 1, 1, 0, NULL, parameters, NULL));
  EXPECT_CODE(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
  return wrong;
}
