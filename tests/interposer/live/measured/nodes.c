/* What nodes of graphs may be made of, and launches with attributes: extents, memory, shared memory,
 * clusters. */
#include <string.h>

#include "tell.h"

static const char ptx[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .global .attribute(.managed) .align 4 .u32 word;\n.visible .entry k() { ret; }\n";

static CUfunction function;

static CUresult launch(unsigned id, unsigned x, unsigned grid, unsigned shared) {
  CUlaunchConfig config = {0};
  CUlaunchAttribute attribute = {0};
  attribute.id = (CUlaunchAttributeID)id;
  attribute.value.clusterDim.x = x;
  attribute.value.clusterDim.y = attribute.value.clusterDim.z = 1;
  config.gridDimX = grid;
  config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
  config.blockDimX = 32;
  config.sharedMemBytes = shared;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cuLaunchKernelEx(&config, function, NULL, NULL);
}

int main(void) {
  const unsigned cluster = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  CUcontext context;
  CUmodule module;
  CUdeviceptr memory, word;
  CUgraph graph;
  CUgraphNode node;
  CUDA_KERNEL_NODE_PARAMS kernel = {0};
  CUDA_MEMSET_NODE_PARAMS set = {0};
  CUDA_MEMCPY3D copy = {0};
  unsigned host = 0;
  size_t bytes;
  if (cuInit(0) != CUDA_SUCCESS || cuCtxCreate(&context, NULL, 0, 0) != CUDA_SUCCESS) return 1;
  T(cuModuleLoadData(&module, ptx));
  T(cuModuleGetFunction(&function, module, "k"));
  T(cuModuleGetGlobal(&word, &bytes, module, "word"));
  T(cuMemFree(word));
  T(cuMemAlloc(&memory, 64));
  T(cuGraphCreate(&graph, 0));
  kernel.func = function;
  kernel.gridDimX = kernel.gridDimY = kernel.gridDimZ = 1;
  kernel.blockDimX = kernel.blockDimY = kernel.blockDimZ = 1;
  T(cuGraphAddKernelNode(&node, graph, NULL, 0, &kernel));
  kernel.sharedMemBytes = 1 << 20;
  T(cuGraphAddKernelNode(&node, graph, NULL, 0, &kernel));
  set.dst = memory;
  set.elementSize = 4;
  set.width = 4;
  set.height = 1;
  T(cuGraphAddMemsetNode(&node, graph, NULL, 0, &set, context));
  set.width = 64;
  T(cuGraphAddMemsetNode(&node, graph, NULL, 0, &set, context));
  set.width = 4;
  set.height = 0;
  T(cuGraphAddMemsetNode(&node, graph, NULL, 0, &set, context));
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = &host;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = memory;
  copy.WidthInBytes = 4;
  copy.Height = copy.Depth = 1;
  T(cuGraphAddMemcpyNode(&node, graph, NULL, 0, &copy, context));
  copy.WidthInBytes = 0;
  T(cuGraphAddMemcpyNode(&node, graph, NULL, 0, &copy, context));
  copy.WidthInBytes = 400;
  T(cuGraphAddMemcpyNode(&node, graph, NULL, 0, &copy, context));
  copy.WidthInBytes = 4;
  copy.dstDevice = 0;
  T(cuGraphAddMemcpyNode(&node, graph, NULL, 0, &copy, context));
  puts("\tlaunches");
  T(launch(cluster, 2, 4, 0));
  T(launch(cluster, 2, 3, 0));
  T(launch(cluster, 0, 4, 0));
  T(launch(cluster, 0, 4, 60000));
  T(launch(cluster, 5, 5, 60000));
  T(launch(cluster, 9, 9, 0));
  T(launch(cluster, 9, 9, 60000));
  T(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));
  T(launch(cluster, 9, 9, 0));
  T(launch(cluster, 17, 17, 0));
  T(launch(77, 1, 1, 0));
  T(cuCtxSynchronize());
  return 0;
}
