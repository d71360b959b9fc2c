/* Much static shared memory, and dynamic beside it. */
#include "tell.h"

int main() {
  CUcontext c;
  CUmodule m;
  CUfunction f;
  CUdeviceptr p;
  char ptx[2048];
  int sizes[] = {16, 20, 40000, 49152, 49153, 49156, 100000, 232448 - 1024, 232448, 232449};
  cuInit(0);
  cuCtxCreate(&c, 0, 0, 0);
  cuMemAlloc(&p, 64);
  void* a[] = {&p};
  for (int i = 0; i < 10; ++i) {
    sprintf(ptx,
            ".version 8.0\n.target sm_90\n.address_size 64\n.extern .shared .align 4 .b8 dyn[];\n.visible "
            ".entry k(.param .u64 to) {\n .reg .b32 %%r<6>; .reg .b64 %%d;\n .shared .align 4 .b8 "
            "room[%d];\n ld.param.u64 %%d, [to]; mov.u32 %%r0, %%tid.x; mov.u32 %%r1, room; add.u32 %%r1, "
            "%%r1, %%r0; st.shared.u32 [%%r1], 1; ld.shared.u32 %%r2, [%%r1+4]; st.global.u32 [%%d], %%r2; "
            "mov.u32 %%r3, dyn; mov.u32 %%r4, room; sub.u32 %%r3, %%r3, %%r4; st.global.u32 [%%d+4], %%r3; "
            "mov.u32 %%r3, %%total_smem_size; st.global.u32 [%%d+8], %%r3; ret;\n}\n",
            sizes[i]);
    CUresult r = cuModuleLoadData(&m, ptx);
    printf("static %d: %s\n", sizes[i], N(r));
    if (r) continue;
    cuModuleGetFunction(&f, m, "k");
    int st, dy;
    cuFuncGetAttribute(&st, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, f);
    cuFuncGetAttribute(&dy, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, f);
    size_t av = 0;
    CUresult ra = cuOccupancyAvailableDynamicSMemPerBlock(&av, f, 1, 32);
    int act = -1;
    CUresult ro = cuOccupancyMaxActiveBlocksPerMultiprocessor(&act, f, 32, 0);
    int act2 = -1;
    CUresult ro2 = cuOccupancyMaxActiveBlocksPerMultiprocessor(&act2, f, 32, 1024);
    printf("  static %d, most dynamic %d, available %s %zu, active %s %d, with 1024 %s %d\n", st, dy, N(ra),
           av, N(ro), act, N(ro2), act2);
    int dyn[] = {0, 4, 1024, 49152 - sizes[i], 49152 - sizes[i] + 4, 60000};
    for (int k = 0; k < 6; ++k) {
      if (dyn[k] < 0) continue;
      unsigned got[3] = {0};
      r = cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, dyn[k], 0, a, 0);
      CUresult w = cuCtxSynchronize();
      cuMemcpyDtoH(got, p, 12);
      printf("  dynamic %d: %s %s, dyn at %u, total %u\n", dyn[k], N(r), N(w), got[1], got[2]);
    }
    int set[] = {0, 1024, 100000, 232448 - sizes[i], 232448 - sizes[i] + 1, 232448};
    for (int k = 0; k < 6; ++k) {
      if (set[k] < 0) continue;
      r = cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, set[k]);
      CUresult l = cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, set[k], 0, a, 0);
      printf("  set %d: %s, launch %s %s\n", set[k], N(r), N(l), N(cuCtxSynchronize()));
    }
    fflush(stdout);
  }
}
