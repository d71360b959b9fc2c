#include "interposer/shim/calls/graphs.h"

#include "interposer/shim/calls/effects.h"
#include "interposer/shim/calls/host_functions.h"
#include "interposer/shim/driver/driver.h"
#include "interposer/shim/events/payload.h"
#include "interposer/shim/memory/streams.h"

namespace wedjat::interposer {

void graph_launch(const Call& call) {
  graph_starts(call);
  device_works();
  effects_begin(call);
}

void memcpy_node(const Call& call, const CUDA_MEMCPY3D* copy) {
  if (copy == nullptr) return;
  graph_memory_begins(call, source_box(*copy));
  graph_memory_begins(call, target_box(*copy));
}

void host_node(const Call& call, const CUDA_HOST_NODE_PARAMS*& node) {
  if (node == nullptr) return;
  thread_local CUDA_HOST_NODE_PARAMS replaced;  // the driver copies it
  replaced = *node;
  node_function(call, replaced.fn, replaced.userData);
  node = &replaced;
}

void graph_node(const Call& call, CUgraphNodeParams*& node) {
  if (node == nullptr) return;
  switch (node->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      return kernel_node(call, &node->kernel);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      return memcpy_node(call, &node->memcpy.copyParams);
    case CU_GRAPH_NODE_TYPE_HOST: {
      thread_local CUgraphNodeParams replaced;
      replaced = *node;
      node_function(call, replaced.host.fn, replaced.host.userData);
      node = &replaced;
      return;
    }
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
      return pointed_to(call, "nodeParams.alloc.accessDescs", node->alloc.accessDescs,
                        static_cast<std::int64_t>(node->alloc.accessDescCount));
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
      return pointed_to(call, "nodeParams.memOp.paramArray", node->memOp.paramArray, node->memOp.count);
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
      pointed_to(call, "nodeParams.extSemSignal.extSemArray", node->extSemSignal.extSemArray,
                 node->extSemSignal.numExtSems);
      return pointed_to(call, "nodeParams.extSemSignal.paramsArray", node->extSemSignal.paramsArray,
                        node->extSemSignal.numExtSems);
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
      pointed_to(call, "nodeParams.extSemWait.extSemArray", node->extSemWait.extSemArray,
                 node->extSemWait.numExtSems);
      return pointed_to(call, "nodeParams.extSemWait.paramsArray", node->extSemWait.paramsArray,
                        node->extSemWait.numExtSems);
    default:
      return;  // everything else lies flat in the struct, which the entry event holds
  }
}

void graph_bodies(const Call& call, const CUgraphNodeParams* node) {
  if (node == nullptr || node->type != CU_GRAPH_NODE_TYPE_CONDITIONAL) return;
  const CUgraph* const bodies = node->conditional.phGraph_out;
  payload(call.sequence, Phase::exit, "nodeParams.conditional.phGraph_out", bodies,
          bytes_at(bodies, node->conditional.size * sizeof *bodies));
}

void captured(const Call& call) {
  using Ask = CUresult (*)(CUstream, CUstreamCaptureStatus*, cuuint64_t*, CUgraph*, const CUgraphNode**,
                           const CUgraphEdgeData**, std::size_t*);
  const auto ask =
      real<Ask>(call.per_thread ? Entry::cuStreamGetCaptureInfo_v3_ptsz : Entry::cuStreamGetCaptureInfo_v3);
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  const CUgraphNode* last = nullptr;
  const CUgraphEdgeData* edges = nullptr;
  std::size_t count = 0;
  if (!ask || ask(call.stream, &status, nullptr, nullptr, &last, &edges, &count) != CUDA_SUCCESS) return;
  // What depends on several nodes alone is none itself.
  if (status == CU_STREAM_CAPTURE_STATUS_ACTIVE && count == 1)
    payload(call.sequence, Phase::exit, "data.captured", last, bytes_at(last, sizeof *last));
}

}  // namespace wedjat::interposer
