// Nodes of graphs: kernels by the host's function, copies and fills by addresses.
#include "interposer/runtime/registration.h"
#include "runtime_calls.h"

namespace wedjat::runtime {
namespace {

CUDA_KERNEL_NODE_PARAMS as_driver(const cudaKernelNodeParams* kernel) {
  require(kernel != nullptr);
  CUDA_KERNEL_NODE_PARAMS same{};
  same.func = function_of(kernel->func);
  set_shape(same, kernel->gridDim, kernel->blockDim);
  same.sharedMemBytes = kernel->sharedMemBytes;
  same.kernelParams = kernel->kernelParams;
  same.extra = kernel->extra;
  return same;
}

CUDA_MEMSET_NODE_PARAMS as_driver(const cudaMemsetParams* fill) {
  require(fill != nullptr);
  CUDA_MEMSET_NODE_PARAMS same{};
  same.dst = reinterpret_cast<CUdeviceptr>(fill->dst);
  same.pitch = fill->pitch;
  same.value = fill->value;
  same.elementSize = fill->elementSize;
  same.width = fill->width;
  same.height = fill->height;
  return same;
}

CUDA_MEMCPY3D line(void* dst, const void* src, size_t count, cudaMemcpyKind kind) {
  require(kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault, cudaErrorInvalidMemcpyDirection);
  CUDA_MEMCPY3D copy{};
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  copy.srcDevice = reinterpret_cast<CUdeviceptr>(src);
  copy.dstDevice = reinterpret_cast<CUdeviceptr>(dst);
  copy.WidthInBytes = count;
  copy.Height = copy.Depth = 1;
  return copy;
}

CUcontext here() {
  CUcontext context = nullptr;
  must(cuCtxGetCurrent(&context));
  return context;
}

}  // namespace

namespace calls {

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   size_t count, const cudaKernelNodeParams* kernel) {
  const CUDA_KERNEL_NODE_PARAMS same = as_driver(kernel);
  return as_runtime(cuGraphAddKernelNode_v2(node, graph, after, count, &same));
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* kernel) {
  const CUDA_KERNEL_NODE_PARAMS same = as_driver(kernel);
  return as_runtime(cuGraphKernelNodeSetParams_v2(node, &same));
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* kernel) {
  const CUDA_KERNEL_NODE_PARAMS same = as_driver(kernel);
  return as_runtime(cuGraphExecKernelNodeSetParams_v2(executable, node, &same));
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   size_t count, const cudaMemsetParams* fill) {
  const CUDA_MEMSET_NODE_PARAMS same = as_driver(fill);
  return as_runtime(cuGraphAddMemsetNode(node, graph, after, count, &same, here()));
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* fill) {
  const CUDA_MEMSET_NODE_PARAMS same = as_driver(fill);
  return as_runtime(cuGraphMemsetNodeSetParams(node, &same));
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams* fill) {
  const CUDA_MEMSET_NODE_PARAMS same = as_driver(fill);
  return as_runtime(cuGraphExecMemsetNodeSetParams(executable, node, &same, here()));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     size_t count, void* dst, const void* src, size_t bytes,
                                     cudaMemcpyKind kind) {
  const CUDA_MEMCPY3D copy = line(dst, src, bytes, kind);
  return as_runtime(cuGraphAddMemcpyNode(node, graph, after, count, &copy, here()));
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* dst, const void* src, size_t bytes,
                                           cudaMemcpyKind kind) {
  const CUDA_MEMCPY3D copy = line(dst, src, bytes, kind);
  return as_runtime(cuGraphMemcpyNodeSetParams(node, &copy));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node, void* dst,
                                               const void* src, size_t bytes, cudaMemcpyKind kind) {
  const CUDA_MEMCPY3D copy = line(dst, src, bytes, kind);
  return as_runtime(cuGraphExecMemcpyNodeSetParams(executable, node, &copy, here()));
}

// The driver's structs, but for the names of their members.
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     size_t count, cudaMemAllocNodeParams* memory) {
  static_assert(sizeof(cudaMemAllocNodeParams) == sizeof(CUDA_MEM_ALLOC_NODE_PARAMS));
  return as_runtime(cuGraphAddMemAllocNode(node, graph, after, count,
                                           reinterpret_cast<CUDA_MEM_ALLOC_NODE_PARAMS*>(memory)));
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                    size_t count, void* memory) {
  return as_runtime(cuGraphAddMemFreeNode(node, graph, after, count, reinterpret_cast<CUdeviceptr>(memory)));
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* result) {
  static_assert(sizeof(cudaGraphExecUpdateResultInfo) == sizeof(CUgraphExecUpdateResultInfo));
  return as_runtime(
      cuGraphExecUpdate_v2(executable, graph, reinterpret_cast<CUgraphExecUpdateResultInfo*>(result)));
}

}  // namespace calls
}  // namespace wedjat::runtime
