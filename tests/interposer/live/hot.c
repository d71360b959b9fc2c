/* Runs a kernel for so many rounds that native code of it is being made, and ends. */
#include "tests/interposer/live/check.h"

static const char* const ptx =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry hot(.param .u64 to, .param .u32 rounds) {\n"
    "  .reg .b64 %d<3>; .reg .b32 %r<6>; .reg .pred %p<3>;\n"
    "  ld.param.u64 %d0, [to]; ld.param.u32 %r5, [rounds]; mov.u32 %r0, %tid.x; mov.u32 %r1, 1; mov.u32 %r2, "
    "0;\n"
    "again: mad.lo.u32 %r1, %r1, 1664525, 1013904223; and.b32 %r3, %r1, %r0; setp.gt.u32 %p0, %r3, 16;\n"
    "  @%p0 bra other; xor.b32 %r1, %r1, %r2; shl.b32 %r3, %r1, 3; bra join;\n"
    "other: shr.u32 %r3, %r1, 5; popc.b32 %r4, %r3; add.u32 %r1, %r1, %r4;\n"
    "join: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r5; @%p1 bra again;\n"
    "  mul.wide.u32 %d1, %r0, 4; add.u64 %d2, %d0, %d1; st.global.u32 [%d2], %r1; ret; }\n";

int main(int argc, char** argv) {
  CUcontext context;
  CUmodule module;
  CUfunction hot;
  CUdeviceptr memory;
  unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
  void* parameters[] = {&memory, &rounds};
  CHECK(cuInit(0));
  CHECK(cuCtxCreate(&context, NULL, 0, 0));
  CHECK(cuModuleLoadData(&module, ptx));
  CHECK(cuModuleGetFunction(&hot, module, "hot"));
  CHECK(cuMemAlloc(&memory, 64 * 4));
  CHECK(cuLaunchKernel(hot, 8, 1, 1, 64, 1, 1, 0, NULL, parameters, NULL));
  CHECK(cuCtxSynchronize());
  return wrong;
}
