/* Memory of the host that a graph copies from and to: the program may use it as it likes between launches of
   the graph, and give it back. */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>

#include "tests/interposer/live/add.h"
#include "tests/interposer/live/check.h"

enum { count = 64, bytes = 4 * count, area = 1 << 20 };

static CUfunction add;
static CUstream stream;
static CUdeviceptr first, second;

static void launch(CUdeviceptr to, unsigned value) {
  void* parameters[] = {&to, &value};
  CHECK(cuLaunchKernel(add, 1, 1, 1, count, 1, 1, 0, stream, parameters, NULL));
}

static void fill(unsigned* to, unsigned value) {
  int i;
  for (i = 0; i < count; ++i) to[i] = value;
}

int main(void) {
  CUcontext context;
  CUmodule module;
  CUgraph graph;
  CUgraphExec executable;
  unsigned *source, *target, other[count];
  CHECK(cuInit(0));
  CHECK(cuDevicePrimaryCtxRetain(&context, 0));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuModuleLoadData(&module, add_ptx));
  CHECK(cuModuleGetFunction(&add, module, "add"));
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK(cuMemAlloc(&first, bytes));
  CHECK(cuMemAlloc(&second, bytes));
  source = mmap(NULL, area, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  target = source + area / 8;
  CHECK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CHECK(cuMemcpyHtoDAsync(first, source, bytes, stream));
  launch(first, 5);
  CHECK(cuMemcpyDtoHAsync(target, first, bytes, stream));
  CHECK(cuStreamEndCapture(stream, &graph));
  CHECK(cuGraphInstantiate(&executable, graph, 0));

  fill(source, 1);
  CHECK(cuGraphLaunch(executable, stream));
  CHECK(cuStreamSynchronize(stream));
  EXPECT(target[7] == 6);

  /* Copies of its own from and to there, while the graph rests. */
  fill(source, 20);
  CHECK(cuMemcpyHtoD(second, source, bytes));
  launch(second, 3);
  fill(source, 30);
  CHECK(cuMemcpyHtoDAsync(first, source, bytes, stream));
  launch(first, 4);
  CHECK(cuMemcpyDtoHAsync(target, second, bytes, stream));
  CHECK(cuMemcpyDtoH(other, first, bytes));
  CHECK(cuStreamSynchronize(stream));
  EXPECT(target[7] == 23);
  EXPECT(other[7] == 34);

  /* Nobody can read it while kernels are launched, and then the graph works with it again. */
  EXPECT(mprotect(source, area, PROT_NONE) == 0);
  launch(second, 1);
  CHECK(cuStreamSynchronize(stream));
  EXPECT(mprotect(source, area, PROT_READ | PROT_WRITE) == 0);
  fill(source, 40);
  CHECK(cuGraphLaunch(executable, stream));
  CHECK(cuStreamSynchronize(stream));
  EXPECT(target[7] == 45);

  /* What lies there later is memory of another kind. */
  CHECK(cuGraphExecDestroy(executable));
  CHECK(cuGraphDestroy(graph));
  EXPECT(munmap(source, area) == 0);
  EXPECT(mmap(source, area, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
              0) == source);
  CHECK(cuMemHostRegister(source, area, 2 /* CU_MEMHOSTREGISTER_DEVICEMAP */));
  fill(target, 50);
  {
    CUdeviceptr mapped;
    CHECK(cuMemHostGetDevicePointer(&mapped, target, 0));
    launch(mapped, 2);
  }
  CHECK(cuStreamSynchronize(stream));
  EXPECT(target[7] == 52);
  CHECK(cuMemHostUnregister(source));
  return wrong;
}
