/* Memory that is mapped and may only be read, or not be accessed at all: what copies and kernels end with.
 * Each has a process of its own. */
#include <sys/wait.h>
#include <unistd.h>

#include "tell.h"

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"
#define ENTRY(name)                                                           \
  ".visible .entry " name                                                     \
  "(.param .u64 to, .param .u64 of) {\n  .reg .b64 %d<4>; .reg .b32 %r<4>;\n" \
  "  ld.param.u64 %d0, [to]; ld.param.u64 %d1, [of];\n"
#define TAIL "  ret;\n}\n"
static const char ptx[] = HEAD ENTRY("store") "  st.global.u32 [%d0], 7;\n" TAIL ENTRY("load")
    "  ld.global.u32 %r0, [%d0]; st.global.u32 [%d1], %r0;\n" TAIL ENTRY("add")
        "  red.global.add.u32 [%d0], 7;\n" TAIL ENTRY("fetch")
            "  atom.global.add.u32 %r0, [%d0], 0; st.global.u32 [%d1], %r0;\n" TAIL ENTRY("compare")
                "  atom.global.cas.b32 %r0, [%d0], 99, 7; st.global.u32 [%d1], %r0;\n" TAIL ENTRY("bulk")
                    "  .shared .align 16 .b8 room[64]; mov.u64 %d2, room;\n"
                    "  cp.async.bulk.global.shared::cta.bulk_group [%d0], [%d2], 16;\n"
                    "  cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n" TAIL;

enum { size = 2 << 20 };
static const char* const what[] = {"store",         "load",        "add", "fetch",   "compare", "bulk",
                                   "from the host", "to the host", "set", "between", "prefetch"};
enum { kernels = 6, kinds = sizeof what / sizeof *what };

static CUresult run(int kind, CUdeviceptr at, CUdeviceptr other) {
  unsigned word = 5;
  if (kind < kernels) {
    CUmodule module;
    CUfunction kernel;
    void* arguments[] = {&at, &other};
    CUresult code = cuModuleLoadData(&module, ptx);
    if (code == CUDA_SUCCESS) code = cuModuleGetFunction(&kernel, module, what[kind]);
    if (code == CUDA_SUCCESS) code = cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL);
    return code;
  }
  switch (kind - kernels) {
    case 0:
      return cuMemcpyHtoD(at, &word, 4);
    case 1:
      return cuMemcpyDtoH(&word, at, 4);
    case 2:
      return cuMemsetD8(at, 1, 64);
    case 3:
      return cuMemcpyDtoD(at, other, 64);
    default:
      return cuMemPrefetchAsync(at, 4096, (CUmemLocation){.type = CU_MEM_LOCATION_TYPE_DEVICE}, 0, NULL);
  }
}

static int tell(int kind, CUmemAccess_flags flags) {
  const CUmemLocation here = {.type = CU_MEM_LOCATION_TYPE_DEVICE};
  const CUmemAllocationProp properties = {.type = CU_MEM_ALLOCATION_TYPE_PINNED, .location = here};
  const CUmemAccessDesc may_write = {here, CU_MEM_ACCESS_FLAGS_PROT_READWRITE}, access = {here, flags};
  CUcontext context;
  CUdeviceptr at, other;
  CUmemGenericAllocationHandle memory;
  unsigned word = 0, before = 3;
  if (cuInit(0) != CUDA_SUCCESS || cuCtxCreate(&context, NULL, 0, 0) != CUDA_SUCCESS ||
      cuMemAddressReserve(&at, size, 0, 0, 0) != CUDA_SUCCESS ||
      cuMemCreate(&memory, size, &properties, 0) != CUDA_SUCCESS ||
      cuMemMap(at, size, 0, memory, 0) != CUDA_SUCCESS ||
      cuMemSetAccess(at, size, &may_write, 1) != CUDA_SUCCESS ||
      cuMemcpyHtoD(at, &before, 4) != CUDA_SUCCESS || cuMemAlloc(&other, 4096) != CUDA_SUCCESS ||
      cuMemsetD8(other, 0, 4096) != CUDA_SUCCESS || cuMemSetAccess(at, size, &access, 1) != CUDA_SUCCESS)
    return 1;
  const CUresult called = run(kind, at, other);
  const CUresult waited = cuCtxSynchronize();
  printf("%s\t%s\n", N(called), what[kind]);
  printf("%s\twaited\n", N(waited));
  /* Whether it arrived, where the context is well. */
  const CUresult allowed = cuMemSetAccess(at, size, &may_write, 1);
  printf("%s\tmay be written again\n", N(allowed));
  printf("%s\tread\n", N(cuMemcpyDtoH(&word, at, 4)));
  printf("%u\tthere\n", word);
  printf("%s\tread\n", N(cuMemcpyDtoH(&word, other, 4)));
  printf("%u\tbeside it\n", word);
  fflush(stdout);
  return 0;
}

int main(void) {
  static const CUmemAccess_flags flags[] = {CU_MEM_ACCESS_FLAGS_PROT_READ, CU_MEM_ACCESS_FLAGS_PROT_NONE};
  for (int i = 0; i < 2; ++i)
    for (int kind = 0; kind < kinds; ++kind) {
      int status = 0;
      printf("\taccess %d\n", (int)flags[i]);
      fflush(stdout);
      const pid_t child = fork();
      if (child == 0) _exit(tell(kind, flags[i]));
      waitpid(child, &status, 0);
      if (status != 0) printf("status %d\n", status);
      fflush(stdout);
    }
  return 0;
}
