// What some calls look at first, once a kernel has failed and before (after_failures.yaml,
// `look_themselves`): what is wrong in itself gives its own code. True: then the call tells that a kernel has
// failed; false: it goes on all the same.
#pragma once

#include "interposer/live/state/streams.h"
#include "interposer/live/work/known.h"
#include "interposer/live/work/node_work.h"
#include "interposer/meaning/conditions.h"

namespace wedjat::live::looks {

// Neither the legacy default stream nor one that is gone.
inline bool is_made(CUstream stream) {
  require(stream_of(stream) != nullptr);
  return true;
}

inline bool cuMemAllocManaged(const CUdeviceptr* address, std::size_t size, unsigned flags) {
  require(address != nullptr && size != 0 && (flags == CU_MEM_ATTACH_GLOBAL || flags == CU_MEM_ATTACH_HOST));
  return true;
}
inline bool cuMemGetAddressRange(const CUdeviceptr* base, const std::size_t* size, CUdeviceptr) {
  return base != nullptr || size != nullptr;
}
inline bool cuMemAdvise(CUdeviceptr, std::size_t, CUmem_advise advice, const CUmemLocation& where) {
  const bool is_of_place = advice == CU_MEM_ADVISE_SET_PREFERRED_LOCATION ||
                           advice == CU_MEM_ADVISE_SET_ACCESSED_BY ||
                           advice == CU_MEM_ADVISE_UNSET_ACCESSED_BY;
  require(!is_of_place || where.type != CU_MEM_LOCATION_TYPE_DEVICE || where.id == 0);
  require(advice >= CU_MEM_ADVISE_SET_READ_MOSTLY && advice <= CU_MEM_ADVISE_UNSET_ACCESSED_BY);
  return true;
}
inline bool cuMemPrefetchAsync(CUdeviceptr, std::size_t, const CUmemLocation&, unsigned flags, CUstream) {
  require(flags == 0);
  return true;
}
inline bool cuMemPrefetchBatchAsync(const CUdeviceptr*, const std::size_t*, std::size_t, const CUmemLocation*,
                                    const std::size_t*, std::size_t, unsigned long long flags,
                                    CUstream stream) {
  require(flags == 0);
  return is_made(stream);
}
inline bool cuMemDiscardBatchAsync(const CUdeviceptr*, const std::size_t*, std::size_t,
                                   unsigned long long flags, CUstream stream) {
  require(flags == 0);
  return is_made(stream);
}
inline bool cuMemDiscardAndPrefetchBatchAsync(const CUdeviceptr* addresses, const std::size_t* sizes,
                                              std::size_t count, const CUmemLocation*, const std::size_t*,
                                              std::size_t, unsigned long long flags, CUstream stream) {
  return cuMemDiscardBatchAsync(addresses, sizes, count, flags, stream);
}
inline bool cuMemcpy3DBatchAsync(std::size_t, const CUDA_MEMCPY3D_BATCH_OP*, unsigned long long,
                                 CUstream stream) {
  return is_made(stream);
}
inline bool cuMemcpy3DBatchAsync(std::size_t, const CUDA_MEMCPY3D_BATCH_OP*, const std::size_t*,
                                 unsigned long long, CUstream stream) {
  return is_made(stream);
}

inline bool cuFuncGetName(const char* const* name, CUfunction function) {
  require(name != nullptr && function != nullptr);
  return true;
}
inline bool cuLaunchCooperativeKernelMultiDevice(const CUDA_LAUNCH_PARAMS* launches, unsigned count,
                                                 unsigned flags) {
  constexpr unsigned all_flags = 3;  // CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_*_LAUNCH_SYNC
  require(launches != nullptr && count == 1 && flags <= all_flags);
  return true;
}
inline bool cuCoredumpGetAttribute(CUcoredumpSettings setting, const void*, const std::size_t* size) {
  require(size != nullptr && setting >= CU_COREDUMP_ENABLE_ON_EXCEPTION && setting < CU_COREDUMP_MAX);
  return true;
}

inline bool cuStreamCreateWithPriority(const CUstream* stream, unsigned flags, int) {
  require(stream != nullptr && flags <= CU_STREAM_NON_BLOCKING);
  return true;
}
inline bool cuStreamCreate(const CUstream* stream, unsigned flags) {
  return cuStreamCreateWithPriority(stream, flags, 0);
}
inline bool cuStreamDestroy(CUstream stream) {
  require(stream != nullptr, CUDA_ERROR_INVALID_HANDLE);
  return true;
}
inline bool cuStreamBeginCapture(CUstream, CUstreamCaptureMode mode) {
  require(mode <= CU_STREAM_CAPTURE_MODE_RELAXED);
  return true;
}
inline bool cuEventElapsedTime(const float* milliseconds, CUevent, CUevent) {
  require(milliseconds != nullptr, CUDA_ERROR_INVALID_HANDLE);
  return true;
}

inline void check_instantiation(unsigned long long flags) {
  constexpr unsigned long long all_flags =
      CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD |
      CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;
  require((flags & ~all_flags) == 0);
}
inline bool cuGraphInstantiateWithFlags(const CUgraphExec*, CUgraph, unsigned long long flags) {
  check_instantiation(flags);
  return true;
}
inline bool cuGraphInstantiateWithParams(const CUgraphExec*, CUgraph,
                                         CUDA_GRAPH_INSTANTIATE_PARAMS* parameters) {
  require(parameters != nullptr);
  parameters->hErrNode_out = nullptr;
  parameters->result_out = CUDA_GRAPH_INSTANTIATE_ERROR;
  return true;
}
inline bool cuGraphConditionalHandleCreate(const CUgraphConditionalHandle* handle, CUgraph graph,
                                           CUcontext where, unsigned, unsigned flags) {
  constexpr unsigned assign_default = 1;  // CU_GRAPH_COND_ASSIGN_DEFAULT is a macro
  require(handle != nullptr && graph != nullptr && flags <= assign_default);
  named_context(where);
  return true;
}
inline bool cuGraphAddNode(const CUgraphNode*, CUgraph, const CUgraphNode*, const CUgraphEdgeData*,
                           std::size_t, const CUgraphNodeParams* node) {
  require(node != nullptr);
  if (node->type != CU_GRAPH_NODE_TYPE_CONDITIONAL) return true;
  require(interposer::may_have_bodies(node->conditional.type, node->conditional.size));
  named_context(node->conditional.ctx);
  return true;
}
inline bool cuGraphAddKernelNode(const CUgraphNode*, CUgraph, const CUgraphNode*, std::size_t,
                                 const CUDA_KERNEL_NODE_PARAMS* kernel) {
  require(kernel != nullptr);
  require(kernel->func != nullptr || kernel->kern != nullptr, CUDA_ERROR_INVALID_HANDLE);
  return true;
}
// Without a context there is none that has failed.
inline bool cuGraphAddMemsetNode(const CUgraphNode*, CUgraph, const CUgraphNode*, std::size_t,
                                 const CUDA_MEMSET_NODE_PARAMS*, CUcontext where) {
  return where != nullptr;
}
inline bool cuGraphNodeSetParams(CUgraphNode node, const CUgraphNodeParams* parameters) {
  require(parameters != nullptr && type_of(node_at(node).work) == parameters->type);
  return true;
}
inline bool cuGraphExecKernelNodeSetParams(CUgraphExec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS*) {
  require(type_of(node_at(node).work) == CU_GRAPH_NODE_TYPE_KERNEL);
  return true;
}

}  // namespace wedjat::live::looks
