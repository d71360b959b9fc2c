/* How many CTAs of a kernel a multiprocessor holds, and how much dynamic shared memory each may have, by what
 * the kernel says of its blocks and prefers of shared memory. */
#include "tell.h"

static const char ptx[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n.extern .shared .align 16 .b8 all[];\n"
    ".visible .entry plain() { ret; }\n"
    ".visible .entry bounded() .maxntid 128, 1, 1 { .shared .align 4 .b8 own[12000];\n"
    "  st.shared.u32 [own], 1; ret; }\n"
    ".visible .entry dynamic() { st.shared.u32 [all], 1; ret; }\n";

static void tell(const char* what, CUfunction function) {
  static const int threads[] = {1, 32, 33, 128, 129, 256, 1000, 1024, 1025}, counts[] = {1, 2, 7, 16, 32, 33};
  static const size_t shared[] = {0, 1, 1000, 1024, 20000, 49152, 49153, 100000, 232448};
  for (int t = 0; t < 9; ++t) {
    printf("%s\t%d threads:", what, threads[t]);
    for (int s = 0; s < 9; ++s) {
      int ctas = -1;
      const CUresult code =
          cuOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, function, threads[t], shared[s]);
      printf(" %d", code == CUDA_SUCCESS ? ctas : -(int)code);
    }
    if (threads[t] == 32 || threads[t] == 1024) printf("; room:");
    for (int c = 0; c < 6 && (threads[t] == 32 || threads[t] == 1024); ++c) {
      size_t room = 0;
      const CUresult code = cuOccupancyAvailableDynamicSMemPerBlock(&room, function, counts[c], threads[t]);
      if (code == CUDA_SUCCESS)
        printf(" %zu", room);
      else
        printf(" %s", N(code));
    }
    printf("\n");
  }
}

int main(void) {
  CUcontext context;
  CUmodule module;
  CUfunction plain, bounded, dynamic;
  if (cuInit(0) != CUDA_SUCCESS || cuCtxCreate(&context, NULL, 0, 0) != CUDA_SUCCESS) return 1;
  T(cuModuleLoadData(&module, ptx));
  T(cuModuleGetFunction(&plain, module, "plain"));
  T(cuModuleGetFunction(&bounded, module, "bounded"));
  T(cuModuleGetFunction(&dynamic, module, "dynamic"));
  tell("plain", plain);
  tell("bounded", bounded);
  tell("dynamic", dynamic);
  T(cuFuncSetAttribute(dynamic, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 232448));
  tell("all", dynamic);
  T(cuFuncSetAttribute(dynamic, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 20));
  tell("a fifth", dynamic);
  return 0;
}
