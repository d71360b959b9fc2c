/* So much memory that both sides see that waits which follow each other leave most of it unseen. */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>

#include "tests/interposer/live/check.h"

static const char* const ptx =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry set(.param .u64 to, .param .u32 value) {\n"
    "  .reg .b64 %d; .reg .b32 %r;\n"
    "  ld.param.u64 %d, [to]; ld.param.u32 %r, [value]; st.global.u32 [%d], %r;\n  ret;\n}\n";

enum { area = 64 << 20 };

/* With the argument "same" the kernel changes nothing, with "kept" the context is not released;
   with a second one the host writes to the memory behind the last wait. */
int main(int argc, char** argv) {
  CUcontext context;
  CUmodule module;
  CUfunction set;
  CUdeviceptr mapped;
  const int same = argc > 1 && strcmp(argv[1], "same") == 0, kept = argc > 1 && strcmp(argv[1], "kept") == 0,
            written = argc > 2;
  unsigned i;
  unsigned* const memory =
      mmap(NULL, area, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  CHECK(cuInit(0));
  CHECK(cuDevicePrimaryCtxRetain(&context, 0));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuModuleLoadData(&module, ptx));
  CHECK(cuModuleGetFunction(&set, module, "set"));
  CHECK(cuMemHostRegister(memory, area, 2 /* CU_MEMHOSTREGISTER_DEVICEMAP */));
  CHECK(cuMemHostGetDevicePointer(&mapped, memory, 0));
  for (i = 0; i < 40; ++i) {
    unsigned value = same ? 0 : i;
    void* parameters[] = {&mapped, &value};
    CHECK(cuLaunchKernel(set, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
    CHECK(cuCtxSynchronize());
  }
  EXPECT(*memory == (same ? 0 : 39));
  if (written) *memory += 100, memory[area / 8] = 7;
  if (!kept) CHECK(cuDevicePrimaryCtxRelease(0));
  return wrong;
}
