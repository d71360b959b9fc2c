/* A graph copies to memory of the host as high as a stack may lie. */
#define _GNU_SOURCE
#include <sys/mman.h>

#include "tests/interposer/live/check.h"

enum { bytes = 4096 };

/* Somewhere in the 256 MiB from there on. */
static unsigned* memory_from(size_t from) {
  size_t at;
  for (at = from; at < from + (256u << 20); at += 1 << 20) {
    void* const got = mmap((void*)at, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == (void*)at) return got;
    if (got != MAP_FAILED) munmap(got, bytes);
  }
  return NULL;
}

static void reach(CUcontext context, unsigned* host) {
  CUdeviceptr memory;
  CUgraph graph;
  CUgraphNode set, copy;
  CUgraphExec executable;
  CUDA_MEMSET_NODE_PARAMS fill = {0};
  CUDA_MEMCPY3D box = {0};
  CHECK(cuMemAlloc(&memory, bytes));
  CHECK(cuGraphCreate(&graph, 0));
  fill.dst = memory;
  fill.value = 7;
  fill.elementSize = 4;
  fill.width = bytes / 4;
  fill.height = 1;
  box.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  box.srcDevice = memory;
  box.dstMemoryType = CU_MEMORYTYPE_HOST;
  box.dstHost = host;
  box.WidthInBytes = bytes;
  box.Height = box.Depth = 1;
  CHECK(cuGraphAddMemsetNode(&set, graph, NULL, 0, &fill, context));
  CHECK(cuGraphAddMemcpyNode(&copy, graph, &set, 1, &box, context));
  CHECK(cuGraphInstantiate(&executable, graph, 0));
  CHECK(cuGraphLaunch(executable, NULL));
  CHECK(cuStreamSynchronize(NULL));
  EXPECT(host[0] == 7 && host[bytes / 4 - 1] == 7);
  CHECK(cuGraphExecDestroy(executable));
  CHECK(cuGraphDestroy(graph));
  CHECK(cuMemFree(memory));
}

int main(void) {
  static const size_t places[] = {0x7fff80000000, 0x7fffa0000000, 0x7fffc0000000};
  CUcontext context;
  unsigned i;
  CHECK(cuInit(0));
  CHECK(cuCtxCreate(&context, NULL, 0, 0));
  for (i = 0; i < sizeof places / sizeof *places; ++i) {
    unsigned* const host = memory_from(places[i]);
    EXPECT(host != NULL);
    if (host != NULL) reach(context, host);
  }
  CHECK(cuCtxDestroy(context));
  return wrong;
}
