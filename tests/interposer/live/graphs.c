/* Graphs: captured from two streams, made node by node, changed, copied. */
#include <string.h>

#include "tests/interposer/live/add.h"
#include "tests/interposer/live/check.h"

enum { count = 64, bytes = 4 * count };

static unsigned host[count];
static CUdeviceptr memory;

static void expect_all(unsigned value) {
  int i, off = 0;
  CHECK(cuMemcpyDtoH(host, memory, bytes));
  for (i = 0; i < count; ++i) off += host[i] != value;
  if (off) fprintf(stderr, "%u instead of %u\n", host[0], value);
  EXPECT(off == 0);
}

static void count_up(void* data) { ++*(int*)data; }

static void captured(CUfunction add) {
  CUstream first, second;
  CUevent forked, joined;
  CUgraph graph, clone;
  CUgraphExec executable;
  CUstreamCaptureStatus status;
  CUgraphNode nodes[8], twin;
  size_t found = 8;
  unsigned value = 5;
  int calls = 0;
  void* parameters[] = {&memory, &value};
  CHECK(cuStreamCreate(&first, CU_STREAM_NON_BLOCKING));
  CHECK(cuStreamCreate(&second, CU_STREAM_NON_BLOCKING));
  CHECK(cuEventCreate(&forked, CU_EVENT_DISABLE_TIMING));
  CHECK(cuEventCreate(&joined, CU_EVENT_DISABLE_TIMING));
  CHECK(cuMemsetD32(memory, 1, count));
  CHECK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CHECK(cuStreamIsCapturing(first, &status));
  EXPECT(status == CU_STREAM_CAPTURE_STATUS_ACTIVE);
  CHECK(cuMemsetD32Async(memory, 10, count, first));
  CHECK(cuEventRecord(forked, first));
  CHECK(cuStreamWaitEvent(second, forked, 0));
  CHECK(cuLaunchKernel(add, 1, 1, 1, count, 1, 1, 0, second, parameters, NULL));
  value = 1000; /* captured before */
  CHECK(cuLaunchHostFunc(second, count_up, &calls));
  CHECK(cuEventRecord(joined, second));
  CHECK(cuStreamWaitEvent(first, joined, 0));
  CHECK(cuMemcpyDtoHAsync(host, memory, bytes, first));
  CHECK(cuStreamEndCapture(first, &graph));
  expect_all(1); /* nothing has run */
  CHECK(cuGraphGetNodes(graph, nodes, &found));
  EXPECT(found == 4);
  CHECK(cuGraphClone(&clone, graph));
  CHECK(cuGraphNodeFindInClone(&twin, nodes[1], clone));
  {
    CUgraphExec older;
    CHECK(cuGraphInstantiate_v2(&older, graph, NULL, NULL, 0));
    CHECK(cuGraphExecDestroy(older));
  }
  CHECK(cuGraphInstantiate(&executable, graph, 0));
  memset(host, 0, sizeof host);
  CHECK(cuGraphLaunch(executable, first));
  CHECK(cuStreamSynchronize(first));
  EXPECT(host[7] == 15);
  EXPECT(calls == 1);
  expect_all(15);

  /* The kernel of the clone gets another value; the executable graph takes it over. */
  {
    CUDA_KERNEL_NODE_PARAMS kernel;
    CUgraphExecUpdateResultInfo result;
    unsigned other = 7;
    void* changed[] = {&memory, &other};
    CHECK(cuGraphKernelNodeGetParams(twin, &kernel));
    EXPECT(kernel.blockDimX == count && *(unsigned*)kernel.kernelParams[1] == 5);
    kernel.kernelParams = changed;
    CHECK(cuGraphKernelNodeSetParams(twin, &kernel));
    CHECK(cuGraphExecUpdate(executable, clone, &result));
    CHECK(cuGraphLaunch(executable, first));
    CHECK(cuStreamSynchronize(first));
    expect_all(17);
    CHECK(cuGraphNodeSetEnabled(executable, nodes[1], 0));
    CHECK(cuGraphLaunch(executable, first));
    CHECK(cuStreamSynchronize(first));
    expect_all(10);
    CHECK(cuGraphDestroy(graph)); /* its nodes name none any more */
    EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuGraphNodeSetEnabled(executable, nodes[1], 1));
  }
  CHECK(cuGraphExecDestroy(executable));
  CHECK(cuGraphDestroy(clone));

  /* What must not be captured ends the capture; work that was not joined is an error. */
  CHECK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_RELAXED));
  EXPECT_CODE(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuStreamSynchronize(first));
  EXPECT_CODE(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(first, &graph));
  CHECK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_RELAXED));
  CHECK(cuEventRecord(forked, first));
  CHECK(cuStreamWaitEvent(second, forked, 0));
  CHECK(cuMemsetD32Async(memory, 1, count, second));
  EXPECT_CODE(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, cuStreamEndCapture(first, &graph));
  CHECK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_RELAXED));
  CHECK(cuEventRecord(forked, first));
  CHECK(cuStreamWaitEvent(second, forked, 0));
  EXPECT_CODE(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, cuStreamEndCapture(second, &graph));
  EXPECT_CODE(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(first, &graph));
  CHECK(cuStreamSynchronize(second));
  CHECK(cuStreamDestroy(first));
  CHECK(cuStreamDestroy(second));
}

static void made(CUfunction add) {
  CUgraph graph, child;
  CUgraphNode set, kernel_node, nested, copy_node;
  CUgraphExec executable;
  CUDA_MEMSET_NODE_PARAMS fill = {0};
  CUDA_KERNEL_NODE_PARAMS kernel = {0};
  CUDA_MEMCPY3D box = {0};
  unsigned value = 3, copied[count];
  void* parameters[] = {&memory, &value};
  CUcontext context;
  CHECK(cuCtxGetCurrent(&context));
  CHECK(cuGraphCreate(&child, 0));
  CHECK(cuGraphCreate(&graph, 0));
  kernel.func = add;
  kernel.gridDimX = kernel.gridDimY = kernel.gridDimZ = kernel.blockDimY = kernel.blockDimZ = 1;
  kernel.blockDimX = count;
  kernel.kernelParams = parameters;
  CHECK(cuGraphAddKernelNode(&nested, child, NULL, 0, &kernel));
  fill.dst = memory;
  fill.value = 100;
  fill.elementSize = 4;
  fill.width = count;
  fill.height = 1;
  /* Added against their order. */
  box.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  box.srcDevice = memory;
  box.dstMemoryType = CU_MEMORYTYPE_HOST;
  box.dstHost = copied;
  box.WidthInBytes = bytes;
  box.Height = box.Depth = 1;
  CHECK(cuGraphAddMemcpyNode(&copy_node, graph, NULL, 0, &box, context));
  CHECK(cuGraphAddChildGraphNode(&kernel_node, graph, NULL, 0, child));
  CHECK(cuGraphAddMemsetNode(&set, graph, NULL, 0, &fill, context));
  CHECK(cuGraphAddDependencies(graph, &set, &kernel_node, NULL, 1));
  CHECK(cuGraphAddDependencies(graph, &kernel_node, &copy_node, NULL, 1));
  CHECK(cuGraphInstantiate(&executable, graph, 0));
  CHECK(cuGraphLaunch(executable, NULL));
  CHECK(cuStreamSynchronize(NULL));
  EXPECT(copied[0] == 103 && copied[count - 1] == 103);
  fill.value = 200;
  CHECK(cuGraphExecMemsetNodeSetParams(executable, set, &fill, context));
  CHECK(cuGraphLaunch(executable, NULL));
  CHECK(cuStreamSynchronize(NULL));
  EXPECT(copied[0] == 203);
  CHECK(cuGraphAddDependencies(graph, &copy_node, &set, NULL, 1)); /* a circle */
  {
    CUgraphExec never;
    EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiate(&never, graph, 0));
  }
  CHECK(cuGraphExecDestroy(executable));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuGraphLaunch(executable, NULL));
  CHECK(cuGraphDestroy(graph));
  CHECK(cuGraphDestroy(child));
}

int main(void) {
  CUcontext context;
  CUmodule module;
  CUfunction add;
  CHECK(cuInit(0));
  CHECK(cuCtxCreate(&context, NULL, 0, 0));
  CHECK(cuModuleLoadData(&module, add_ptx));
  CHECK(cuModuleGetFunction(&add, module, "add"));
  CHECK(cuMemAlloc(&memory, bytes));
  captured(add);
  made(add);
  CHECK(cuStreamWriteValue32(NULL, memory, 42, 0));
  CHECK(cuStreamWaitValue32(NULL, memory, 42, CU_STREAM_WAIT_VALUE_EQ));
  CHECK(cuMemcpyDtoH(host, memory, 4));
  EXPECT(host[0] == 42);
  CHECK(cuCtxDestroy(context));
  return wrong;
}
