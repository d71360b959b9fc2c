// Nodes of graphs: added, and asked for or given their parameters.
#include <algorithm>

#include "interposer/live/work/conditional_nodes.h"
#include "interposer/live/work/node_work.h"
#include "interposer/meaning/launches.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

template <class T>
T& part_at(CUgraphNode node) {
  return part_of<T>(node_at(node).work);
}

void add(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, std::size_t count, Work work) {
  require(count == 0 || after != nullptr);
  *node =
      add_node(driver().graphs.at(graph, CUDA_ERROR_INVALID_VALUE), std::move(work), {after, after + count});
}

// Attributes that were captured or set apart stand beside the parameters; these show where they lie.
template <class Parameters>
void show(const Kernel& kernel, Parameters& to) {
  to = {};
  to.func = kernel.function;
  to.gridDimX = kernel.config.grid[0];
  to.gridDimY = kernel.config.grid[1];
  to.gridDimZ = kernel.config.grid[2];
  to.blockDimX = kernel.config.block[0];
  to.blockDimY = kernel.config.block[1];
  to.blockDimZ = kernel.config.block[2];
  to.sharedMemBytes = kernel.config.shared_bytes;
  kernel.pointers.clear();
  for (const device::ParameterSlot& slot : kernel.function->parameters)
    kernel.pointers.push_back(const_cast<std::byte*>(kernel.parameters.data()) + slot.offset);
  to.kernelParams = kernel.pointers.data();
}

}  // namespace

void cuGraphAddKernelNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, std::size_t count,
                          const CUDA_KERNEL_NODE_PARAMS* kernel) {
  add(node, graph, after, count, work_of(*kernel));
}

void cuGraphAddKernelNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, std::size_t count,
                          const CUDA_KERNEL_NODE_PARAMS_v1* kernel) {
  add(node, graph, after, count, work_of(newer(*kernel)));
}

void cuGraphAddMemcpyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, std::size_t count,
                          const CUDA_MEMCPY3D* box, CUcontext) {
  add(node, graph, after, count, work_of(*box));
}

void cuGraphAddMemsetNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, std::size_t count,
                          const CUDA_MEMSET_NODE_PARAMS* set, CUcontext) {
  add(node, graph, after, count, work_of(*set));
}

void cuGraphAddHostNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, std::size_t count,
                        const CUDA_HOST_NODE_PARAMS* host) {
  add(node, graph, after, count, work_of(*host));
}

void cuGraphAddEmptyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, std::size_t count) {
  add(node, graph, after, count, Nothing{});
}

void cuGraphAddChildGraphNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, std::size_t count,
                              CUgraph child) {
  require(child != graph);
  add(node, graph, after, count, child_of(child));
}

void cuGraphAddEventRecordNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, std::size_t count,
                               CUevent event) {
  require(driver().events.find(event) != nullptr);
  add(node, graph, after, count, Event{event, false});
}

void cuGraphAddEventWaitNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, std::size_t count,
                             CUevent event) {
  require(driver().events.find(event) != nullptr);
  add(node, graph, after, count, Event{event, true});
}

void cuGraphAddMemAllocNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, std::size_t count,
                            CUDA_MEM_ALLOC_NODE_PARAMS* memory) {
  add(node, graph, after, count, allocation_of(*memory));
}

void cuGraphAddMemFreeNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, std::size_t count,
                           CUdeviceptr address) {
  add(node, graph, after, count, freeing_of(address));
}

void cuGraphAddBatchMemOpNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, std::size_t count,
                              const CUDA_BATCH_MEM_OP_NODE_PARAMS* operations) {
  add(node, graph, after, count, work_of(*operations));
}

void cuGraphAddNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, std::size_t count,
                    CUgraphNodeParams* parameters) {
  require(parameters != nullptr);
  if (parameters->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
    return add_conditional_node(node, graph, {after, after + count}, parameters->conditional);
  add(node, graph, after, count, work_of(*parameters));
}

void cuGraphAddNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, const CUgraphEdgeData*,
                    std::size_t count, CUgraphNodeParams* parameters) {
  cuGraphAddNode(node, graph, after, count, parameters);
}

void cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* kernel) {
  show(part_at<Kernel>(node), *kernel);
}
void cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v1* kernel) {
  show(part_at<Kernel>(node), *kernel);
}
void cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* kernel) {
  replace(node_at(node).work, work_of(*kernel));
}
void cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1* kernel) {
  replace(node_at(node).work, work_of(newer(*kernel)));
}

void cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D* box) { *box = part_at<CUDA_MEMCPY3D>(node); }
void cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D* box) {
  replace(node_at(node).work, *box);
}

void cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS* set) {
  *set = part_at<CUDA_MEMSET_NODE_PARAMS>(node);
}
void cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* set) {
  replace(node_at(node).work, work_of(*set));
}

void cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS* host) {
  *host = part_at<CUDA_HOST_NODE_PARAMS>(node);
}
void cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS* host) {
  replace(node_at(node).work, work_of(*host));
}

void cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS* memory) {
  *memory = part_at<Allocating>(node).parameters;
}
void cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr* address) {
  *address = part_at<Freeing>(node).address;
}
void cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph* graph) { *graph = part_at<Child>(node).graph; }

void cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams* parameters) {
  require(parameters != nullptr);
  replace(node_at(node).work, work_of(*parameters));
}

void cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID id,
                                   const CUkernelNodeAttrValue* value) {
  Kernel& kernel = part_at<Kernel>(node);
  kernel.attributes[static_cast<int>(id)] = *value;
  interposer::set_attribute(kernel.config, id, *value);
}

void cuGraphKernelNodeGetAttribute(CUgraphNode node, CUkernelNodeAttrID id, CUkernelNodeAttrValue* value) {
  const Kernel& kernel = part_at<Kernel>(node);
  const auto found = kernel.attributes.find(static_cast<int>(id));
  *value = found == kernel.attributes.end() ? CUkernelNodeAttrValue{} : found->second;
}

void cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from) {
  const Kernel& source = part_at<Kernel>(from);
  Kernel& target = part_at<Kernel>(to);
  target.attributes = source.attributes;
  std::copy_n(source.config.cluster, 3, target.config.cluster);
  target.config.cooperative = source.config.cooperative;
}

}  // namespace wedjat::live::calls
