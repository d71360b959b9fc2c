// Copy nodes of graphs: boxes, lines, and variables of the program.
#include "interposer/runtime/boxes.h"
#include "interposer/runtime/registration.h"
#include "runtime_calls.h"

namespace wedjat::runtime::calls {
namespace {

CUDA_MEMCPY3D line(void* dst, const void* src, size_t count, cudaMemcpyKind kind) {
  check_direction(kind);
  CUDA_MEMCPY3D copy{};
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  copy.srcDevice = reinterpret_cast<CUdeviceptr>(src);
  copy.dstDevice = reinterpret_cast<CUdeviceptr>(dst);
  copy.WidthInBytes = count;
  copy.Height = copy.Depth = 1;
  return copy;
}

void* variable(const void* symbol, size_t count, size_t offset) {
  return reinterpret_cast<void*>(inside(symbol, count, offset));
}

cudaError_t add(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                const CUDA_MEMCPY3D& copy) {
  return as_runtime(cuGraphAddMemcpyNode(node, graph, after, count, &copy, current_context()));
}

cudaError_t set(cudaGraphNode_t node, const CUDA_MEMCPY3D& copy) {
  return as_runtime(cuGraphMemcpyNodeSetParams(node, &copy));
}

cudaError_t set(cudaGraphExec_t executable, cudaGraphNode_t node, const CUDA_MEMCPY3D& copy) {
  return as_runtime(cuGraphExecMemcpyNodeSetParams(executable, node, &copy, current_context()));
}

}  // namespace

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   size_t count, const cudaMemcpy3DParms* copy) {
  return add(node, graph, after, count, as_driver(copy));
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* copy) {
  return set(node, as_driver(copy));
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* copy) {
  return set(executable, node, as_driver(copy));
}
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* copy) {
  require(copy != nullptr);
  CUDA_MEMCPY3D same{};
  must(cuGraphMemcpyNodeGetParams(node, &same));
  *copy = as_runtime(same);
  return cudaSuccess;
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     size_t count, void* dst, const void* src, size_t bytes,
                                     cudaMemcpyKind kind) {
  return add(node, graph, after, count, line(dst, src, bytes, kind));
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* dst, const void* src, size_t bytes,
                                           cudaMemcpyKind kind) {
  return set(node, line(dst, src, bytes, kind));
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node, void* dst,
                                               const void* src, size_t bytes, cudaMemcpyKind kind) {
  return set(executable, node, line(dst, src, bytes, kind));
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* after, size_t count, const void* symbol,
                                           const void* src, size_t bytes, size_t offset,
                                           cudaMemcpyKind kind) {
  return add(node, graph, after, count, line(variable(symbol, bytes, offset), src, bytes, kind));
}
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol, const void* src,
                                                 size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return set(node, line(variable(symbol, bytes, offset), src, bytes, kind));
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                     const void* symbol, const void* src, size_t bytes,
                                                     size_t offset, cudaMemcpyKind kind) {
  return set(executable, node, line(variable(symbol, bytes, offset), src, bytes, kind));
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* after, size_t count, void* dst,
                                             const void* symbol, size_t bytes, size_t offset,
                                             cudaMemcpyKind kind) {
  return add(node, graph, after, count, line(dst, variable(symbol, bytes, offset), bytes, kind));
}
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* dst, const void* symbol,
                                                   size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return set(node, line(dst, variable(symbol, bytes, offset), bytes, kind));
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                       void* dst, const void* symbol, size_t bytes,
                                                       size_t offset, cudaMemcpyKind kind) {
  return set(executable, node, line(dst, variable(symbol, bytes, offset), bytes, kind));
}

}  // namespace wedjat::runtime::calls
