/* A variable that host and device share, of a module that stays loaded. */
#include "tests/interposer/live/check.h"

static const char* const ptx =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .global .attribute(.managed) .align 4 .u32 together = 5;\n"
    ".visible .entry add() {\n  .reg .b32 %r; ld.global.u32 %r, [together]; add.u32 %r, %r, 3;\n"
    "  st.global.u32 [together], %r;\n  ret;\n}\n";

int main(void) {
  CUcontext context;
  CUmodule module;
  CUfunction add;
  CUdeviceptr together;
  CHECK(cuInit(0));
  CHECK(cuDevicePrimaryCtxRetain(&context, 0));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuModuleLoadData(&module, ptx));
  CHECK(cuModuleGetFunction(&add, module, "add"));
  CHECK(cuModuleGetGlobal(&together, NULL, module, "together"));
  CHECK(cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
  CHECK(cuCtxSynchronize());
  EXPECT(*(unsigned*)together == 8);
  return wrong;
}
