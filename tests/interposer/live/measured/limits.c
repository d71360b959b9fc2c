/* What limits of a context become, and that of printf once a kernel has printed; who may be said to access
 * managed memory. */
#include "tell.h"

static const char* ptx =
    ".version 8.0\n.target sm_90\n.address_size 64\n.extern .func (.param .b32 r) vprintf (.param .b64 f, "
    ".param .b64 a);\n.global .align 1 .b8 text[8] = {108, 105, 110, 101, 10, 0};\n.visible .entry k() {\n "
    ".reg .b64 %d<2>; mov.u64 %d0, text; cvta.global.u64 %d0, %d0; mov.u64 %d1, 0;\n { .param .b64 f; "
    ".param .b64 a; .param .b32 r; st.param.b64 [f], %d0; st.param.b64 [a], %d1; call.uni (r), vprintf, (f, "
    "a); }\n ret;\n}\n";

static void set(CUlimit limit, size_t value) {
  size_t got = 0;
  T(cuCtxSetLimit(limit, value));
  cuCtxGetLimit(&got, limit);
  printf("%zu %zu\n", value, got);
}

int main() {
  CUcontext c;
  CUmodule m;
  CUfunction f;
  CUdeviceptr p;
  cuInit(0);
  cuCtxCreate(&c, 0, 0, 0);
  const size_t heaps[] = {1, 1 << 20, 3 << 20, 5 << 20, 9 << 20, 100 << 20};
  const size_t others[] = {0, 1, 1000, 100000, 1 << 20};
  for (int i = 0; i < 6; ++i) set(CU_LIMIT_MALLOC_HEAP_SIZE, heaps[i]);
  for (int i = 0; i < 5; ++i) set(CU_LIMIT_STACK_SIZE, others[i]);
  for (int i = 0; i < 5; ++i) set(CU_LIMIT_PRINTF_FIFO_SIZE, others[i]);
  cuModuleLoadData(&m, ptx);
  cuModuleGetFunction(&f, m, "k");
  T(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0));
  T(cuCtxSynchronize());
  T(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 1 << 16));
  cuMemAllocManaged(&p, 1 << 20, CU_MEM_ATTACH_GLOBAL);
  for (int type = CU_MEM_LOCATION_TYPE_DEVICE; type <= CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT; ++type)
    for (int advice = CU_MEM_ADVISE_SET_READ_MOSTLY; advice <= CU_MEM_ADVISE_UNSET_ACCESSED_BY; ++advice) {
      const CUmemLocation location = {(CUmemLocationType)type, 0};
      printf("%d %d: %s\n", type, advice, N(cuMemAdvise(p, 1 << 20, (CUmem_advise)advice, location)));
    }
  return 0;
}
