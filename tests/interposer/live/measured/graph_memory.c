/* What graphs allocate: how much of it the device counts, when it is given back, and what a graph with memory
 * of its own may not be asked for. */
#include "tell.h"

static void tell_counts(const char* when) {
  static const CUgraphMem_attribute all[] = {
      CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH,
      CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH};
  printf("%s\t", when);
  for (int i = 0; i < 4; ++i) {
    cuuint64_t bytes = 0;
    cuDeviceGetGraphMemAttribute(0, all[i], &bytes);
    printf(" %llu", (unsigned long long)bytes);
  }
  printf("\n");
  fflush(stdout);
}

int main(void) {
  CUcontext context;
  CUstream stream;
  CUgraph graph, other;
  CUgraphExec executable, second;
  CUgraphNode nodes[3];
  CUdeviceptr memory;
  size_t count = 3;
  if (cuInit(0) != CUDA_SUCCESS || cuDevicePrimaryCtxRetain(&context, 0) != CUDA_SUCCESS) return 1;
  if (cuCtxSetCurrent(context) != CUDA_SUCCESS || cuStreamCreate(&stream, 0) != CUDA_SUCCESS) return 1;
  tell_counts("before");
  puts("\tgiven back by the graph itself");
  cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
  T(cuMemAllocAsync(&memory, 4096, stream));
  T(cuMemsetD8Async(memory, 1, 4096, stream));
  T(cuMemFreeAsync(memory, stream));
  T(cuStreamEndCapture(stream, &graph));
  T(cuGraphInstantiate(&executable, graph, 0));
  tell_counts("made");
  T(cuGraphLaunch(executable, stream));
  T(cuGraphLaunch(executable, stream));
  T(cuStreamSynchronize(stream));
  tell_counts("launched twice");
  T(cuGraphInstantiate(&second, graph, 0));
  T(cuGraphClone(&other, graph));
  T(cuGraphGetNodes(graph, nodes, &count));
  T(cuGraphDestroyNode(nodes[1]));
  T(cuGraphRemoveDependencies(graph, &nodes[0], &nodes[1], NULL, 1));
  T(cuGraphExecDestroy(executable));
  tell_counts("gone");
  T(cuDeviceGraphMemTrim(0));
  tell_counts("trimmed");
  T(cuGraphInstantiate(&executable, graph, 0));
  T(cuGraphExecDestroy(executable));
  T(cuGraphDestroy(graph));
  puts("\tleft for the program");
  cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
  T(cuMemAllocAsync(&memory, 1 << 20, stream));
  T(cuMemsetD8Async(memory, 2, 1 << 20, stream));
  T(cuStreamEndCapture(stream, &graph));
  T(cuGraphInstantiate(&executable, graph, 0));
  T(cuGraphLaunch(executable, stream));
  T(cuStreamSynchronize(stream));
  T(cuGraphLaunch(executable, stream));
  tell_counts("launched");
  T(cuMemFreeAsync(memory, stream));
  T(cuStreamSynchronize(stream));
  tell_counts("given back");
  T(cuGraphLaunch(executable, stream));
  T(cuDeviceGraphMemTrim(0));
  T(cuMemFree(memory));
  T(cuStreamSynchronize(stream));
  tell_counts("given back at once");
  T(cuGraphExecDestroy(executable));
  T(cuGraphInstantiate(&executable, graph, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH));
  T(cuGraphLaunch(executable, stream));
  T(cuGraphLaunch(executable, stream));
  T(cuStreamSynchronize(stream));
  tell_counts("given back by the launch");
  return 0;
}
