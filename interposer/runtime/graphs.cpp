// Nodes of graphs: kernels by the host's function, fills, memory; and those that are told in one struct.
#include <cstring>

#include "interposer/runtime/boxes.h"
#include "interposer/runtime/registration.h"
#include "runtime_calls.h"

namespace wedjat::runtime {
namespace {

CUDA_KERNEL_NODE_PARAMS kernel_of(const cudaKernelNodeParams* kernel) {
  require(kernel != nullptr);
  CUDA_KERNEL_NODE_PARAMS same{};
  same.func = function_of(kernel->func);
  set_shape(same, kernel->gridDim, kernel->blockDim);
  same.sharedMemBytes = kernel->sharedMemBytes;
  same.kernelParams = kernel->kernelParams;
  same.extra = kernel->extra;
  return same;
}

CUDA_MEMSET_NODE_PARAMS fill_of(const cudaMemsetParams* fill) {
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

// The structs of both, but for kernels and copies, are the same.
CUgraphNodeParams node_of(const cudaGraphNodeParams* node) {
  static_assert(sizeof *node == sizeof(CUgraphNodeParams));
  require(node != nullptr);
  CUgraphNodeParams same{};
  std::memcpy(&same, node, sizeof same);
  if (node->type == cudaGraphNodeTypeKernel) {
    const cudaKernelNodeParamsV2& given = node->kernel;
    const cudaKernelNodeParams older{given.func,           given.gridDim,      given.blockDim,
                                     given.sharedMemBytes, given.kernelParams, given.extra};
    const CUDA_KERNEL_NODE_PARAMS kernel = kernel_of(&older);
    same.kernel = {};
    std::memcpy(&same.kernel, &kernel, sizeof kernel);
  } else if (node->type == cudaGraphNodeTypeMemcpy) {
    same.memcpy = {};
    same.memcpy.flags = node->memcpy.flags;
    same.memcpy.copyCtx = current_context();
    same.memcpy.copyParams = as_driver(&node->memcpy.copyParams);
  } else if (node->type == cudaGraphNodeTypeMemset) {
    same.memset.ctx = current_context();
  } else if (node->type == cudaGraphNodeTypeConditional) {
    same.conditional.ctx = current_context();
  }
  return same;
}

// What adding a node tells: where its memory lies, which graphs it may run.
void give_back(cudaGraphNodeParams* node, const CUgraphNodeParams& same) {
  if (node->type == cudaGraphNodeTypeMemAlloc) node->alloc.dptr = reinterpret_cast<void*>(same.alloc.dptr);
  if (node->type == cudaGraphNodeTypeConditional)
    node->conditional.phGraph_out = same.conditional.phGraph_out;
}

}  // namespace

namespace calls {

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   size_t count, const cudaKernelNodeParams* kernel) {
  const CUDA_KERNEL_NODE_PARAMS same = kernel_of(kernel);
  return as_runtime(cuGraphAddKernelNode_v2(node, graph, after, count, &same));
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* kernel) {
  const CUDA_KERNEL_NODE_PARAMS same = kernel_of(kernel);
  return as_runtime(cuGraphKernelNodeSetParams_v2(node, &same));
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* kernel) {
  const CUDA_KERNEL_NODE_PARAMS same = kernel_of(kernel);
  return as_runtime(cuGraphExecKernelNodeSetParams_v2(executable, node, &same));
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   size_t count, const cudaMemsetParams* fill) {
  const CUDA_MEMSET_NODE_PARAMS same = fill_of(fill);
  return as_runtime(cuGraphAddMemsetNode(node, graph, after, count, &same, current_context()));
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* fill) {
  const CUDA_MEMSET_NODE_PARAMS same = fill_of(fill);
  return as_runtime(cuGraphMemsetNodeSetParams(node, &same));
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams* fill) {
  const CUDA_MEMSET_NODE_PARAMS same = fill_of(fill);
  return as_runtime(cuGraphExecMemsetNodeSetParams(executable, node, &same, current_context()));
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* fill) {
  require(fill != nullptr);
  CUDA_MEMSET_NODE_PARAMS same{};
  must(cuGraphMemsetNodeGetParams(node, &same));
  *fill = {
      reinterpret_cast<void*>(same.dst), same.pitch, same.value, same.elementSize, same.width, same.height};
  return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* kernel) {
  require(kernel != nullptr);
  CUDA_KERNEL_NODE_PARAMS same{};
  must(cuGraphKernelNodeGetParams_v2(node, &same));
  *kernel = {const_cast<void*>(host_of(same.func)),
             {same.gridDimX, same.gridDimY, same.gridDimZ},
             {same.blockDimX, same.blockDimY, same.blockDimZ},
             same.sharedMemBytes,
             same.kernelParams,
             same.extra};
  return cudaSuccess;
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* after,
                             const cudaGraphEdgeData* edges, size_t count, cudaGraphNodeParams* node) {
  CUgraphNodeParams same = node_of(node);
  must(cuGraphAddNode_v2(made, graph, after, reinterpret_cast<const CUgraphEdgeData*>(edges), count, &same));
  give_back(node, same);
  return cudaSuccess;
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t of, cudaGraphNodeParams* node) {
  CUgraphNodeParams same = node_of(node);
  return as_runtime(cuGraphNodeSetParams(of, &same));
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t of,
                                       cudaGraphNodeParams* node) {
  CUgraphNodeParams same = node_of(node);
  return as_runtime(cuGraphExecNodeSetParams(executable, of, &same));
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

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned int at_first, unsigned int flags) {
  static_assert(sizeof(cudaGraphConditionalHandle) == sizeof(CUgraphConditionalHandle));
  return as_runtime(cuGraphConditionalHandleCreate(reinterpret_cast<CUgraphConditionalHandle*>(handle), graph,
                                                   current_context(), at_first, flags));
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* result) {
  static_assert(sizeof(cudaGraphExecUpdateResultInfo) == sizeof(CUgraphExecUpdateResultInfo));
  return as_runtime(
      cuGraphExecUpdate_v2(executable, graph, reinterpret_cast<CUgraphExecUpdateResultInfo*>(result)));
}

}  // namespace calls
}  // namespace wedjat::runtime
