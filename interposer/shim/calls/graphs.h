// Graph nodes that carry kernel parameters or copy host memory; graph launches.
#pragma once

#include "interposer/shim/calls/boxes.h"
#include "interposer/shim/calls/kernels.h"
#include "interposer/shim/events/call.h"
#include "interposer/shim/memory/host_memory.h"
#include "interposer/shim/memory/streams.h"

namespace wedjat::interposer {

void graph_launch(const Call& call);

// Node parameters of any version; a null pointer is the driver's to refuse.
template <typename Node>
void kernel_node(const Call& call, const Node* node) {
  if (node == nullptr) return;
  CUfunction function = node->func;
  if constexpr (requires { node->kern; }) {
    if (function == nullptr) function = reinterpret_cast<CUfunction>(node->kern);
  }
  tell_context(call);
  node_parameters(call, "params", function, node->kernelParams, node->extra);
}

void memcpy_node(const Call& call, const CUDA_MEMCPY3D* copy);
// A host node gets our function instead of the application's: `node` is replaced by a copy.
void host_node(const Call& call, const CUDA_HOST_NODE_PARAMS*& node);
void graph_node(const Call& call, CUgraphNodeParams*& node);
// After the call: the graphs that a conditional node decides between, which the driver made.
void graph_bodies(const Call& call, const CUgraphNodeParams* node);
// After a call in a stream that captures: the node that it became.
void captured(const Call& call);

}  // namespace wedjat::interposer
