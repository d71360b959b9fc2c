/* Calls that are well and do little: memory of no bytes, a library of nonsense of which nothing is used, a
 * node that keeps its name through two updates of its executable graph, memory that a graph leaves until its
 * next launch. */
#include <string.h>

#include "tests/interposer/live/check.h"

static const char* const ptx =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry add(.param .u64 word, .param .u32 value) {\n"
    "  .reg .b64 %d0; .reg .b32 %r<2>;\n"
    "  ld.param.u64 %d0, [word]; ld.param.u32 %r0, [value]; ld.global.u32 %r1, [%d0];\n"
    "  add.u32 %r1, %r1, %r0; st.global.u32 [%d0], %r1;\n  ret;\n}\n";

static CUstream stream;
static CUdeviceptr word;
static CUfunction add;

static CUgraph captured(unsigned value) {
  CUgraph graph;
  void* arguments[] = {&word, &value};
  CHECK(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  CHECK(cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, stream, arguments, NULL));
  CHECK(cuStreamEndCapture(stream, &graph));
  return graph;
}

static unsigned after_launch(CUgraphExec executable) {
  unsigned value = 0;
  CHECK(cuGraphLaunch(executable, stream));
  CHECK(cuStreamSynchronize(stream));
  CHECK(cuMemcpyDtoH_v2(&value, word, sizeof value));
  return value;
}

int main(void) {
  CUcontext context;
  CUmodule module;
  CUlibrary nonsense;
  CUdeviceptr nothing = 1;
  CHECK(cuInit(0));
  CHECK(cuDevicePrimaryCtxRetain(&context, 0));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK(cuModuleLoadData(&module, ptx));
  CHECK(cuModuleGetFunction(&add, module, "add"));
  CHECK(cuMemAlloc_v2(&word, 4));
  CHECK(cuMemsetD32_v2(word, 0, 1));

  CHECK(cuMemAllocAsync(&nothing, 0, stream));
  EXPECT(nothing == 0);
  CHECK(cuLibraryLoadData(&nonsense, "", NULL, NULL, 0, NULL, NULL, 0));
  CHECK(cuLibraryLoadData(&nonsense, ".version 8.0\n.target sm_90\nnonsense", NULL, NULL, 0, NULL, NULL, 0));

  CUgraph first = captured(1);
  CUgraphExec executable;
  CUgraphExecUpdateResultInfo result;
  CUgraphNode node;
  size_t count = 1;
  CHECK(cuGraphInstantiateWithFlags(&executable, first, 0));
  CHECK(cuGraphGetNodes(first, &node, &count));
  EXPECT(after_launch(executable) == 1);
  CHECK(cuGraphExecUpdate_v2(executable, captured(10), &result));
  EXPECT(after_launch(executable) == 11);
  CHECK(cuGraphExecUpdate_v2(executable, captured(100), &result));
  EXPECT(after_launch(executable) == 111);
  CHECK(cuGraphNodeSetEnabled(executable, node, 0));
  EXPECT(after_launch(executable) == 111);
  CHECK(cuGraphNodeSetEnabled(executable, node, 1));
  EXPECT(after_launch(executable) == 211);

  CUgraph leaving;
  CUdeviceptr left = 0;
  CHECK(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  CHECK(cuMemAllocAsync(&left, 4096, stream));
  CHECK(cuMemsetD32Async(left, 9, 1024, stream));
  CHECK(cuStreamEndCapture(stream, &leaving));
  CHECK(cuGraphInstantiateWithFlags(&executable, leaving, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH));
  after_launch(executable);
  after_launch(executable);
  return wrong != 0;
}
