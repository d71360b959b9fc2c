// Executable graphs.
#include <algorithm>
#include <utility>

#include "interposer/live/state/streams.h"
#include "interposer/live/work/conditional_nodes.h"
#include "interposer/live/work/looks.h"
#include "interposer/live/work/node_work.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

using Nodes = std::vector<CUgraphExec_st::Node>;

CUgraphExec_st& executable_at(CUgraphExec handle) {
  return driver().executables.at(handle, CUDA_ERROR_INVALID_VALUE);
}

CUgraphExec_st::Node& node_in(CUgraphExec handle, CUgraphNode origin) {
  Nodes& nodes = executable_at(handle).nodes;
  node_at(origin);  // a node that is gone names none, though what was made of it goes on
  const auto found = std::ranges::find(nodes, origin, &CUgraphExec_st::Node::origin);
  require(found != nodes.end());
  return *found;
}

void change(CUgraphExec executable_graph, CUgraphNode node, Work work) {
  replace(node_in(executable_graph, node).work, std::move(work));
}

// Of the same shape, node by node; null if it is.
CUgraphNode first_difference(const Nodes& mine, const Nodes& other, CUgraphExecUpdateResult& why) {
  for (std::size_t i = 0; i < mine.size(); ++i) {
    why = type_of(mine[i].work) != type_of(other[i].work) ? CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED
                                                          : CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
    if (type_of(mine[i].work) != type_of(other[i].work) || mine[i].after != other[i].after)
      return other[i].origin;
    if (mine[i].inside.size() != other[i].inside.size()) return other[i].origin;
    for (std::size_t graph = 0; graph < mine[i].inside.size(); ++graph) {
      const Nodes &before = mine[i].inside[graph], &now = other[i].inside[graph];
      if (before.size() != now.size()) return other[i].origin;
      if (const CUgraphNode within = first_difference(before, now, why)) return within;
    }
  }
  return nullptr;
}

// Nodes keep the names of the graph they were made from.
void update(Nodes& mine, Nodes& other) {
  for (std::size_t i = 0; i < mine.size(); ++i) {
    mine[i].work = std::move(other[i].work);
    for (std::size_t graph = 0; graph < mine[i].inside.size(); ++graph)
      update(mine[i].inside[graph], other[i].inside[graph]);
  }
}

}  // namespace

namespace {

// What its nodes allocate is free when it is launched, or becomes it then.
void settle_memory(const CUgraphExec_st& executable_graph) {
  GraphMemory& memory = driver().graph_memory;
  for (const CUgraphExec_st::Node& node : executable_graph.nodes) {
    const Allocating* const allocating = std::get_if<Allocating>(&node.work);
    if (allocating == nullptr || !memory.live.contains(allocating->parameters.dptr)) continue;
    require((executable_graph.flags & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH) != 0);
    memory.give(allocating->parameters.dptr);
  }
}

void instantiate(CUgraphExec* made, CUgraph handle, unsigned long long flags, CUgraphInstantiateResult& why) {
  looks::check_instantiation(flags);
  CUgraph_st& graph = driver().graphs.at(handle, CUDA_ERROR_INVALID_VALUE);
  check_conditions(graph, why);
  require((flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH) == 0 || !has_conditions(graph));
  auto executable_graph = std::make_unique<CUgraphExec_st>();
  executable_graph->nodes = executable(graph);
  executable_graph->flags = flags;
  executable_graph->objects = retained_by(graph);
  if (has_conditions(graph) || has_memory(graph))
    graph.instance = executable_graph->instance = std::make_shared<int>();
  *made = driver().executables.add(std::move(executable_graph));
  why = CUDA_GRAPH_INSTANTIATE_SUCCESS;
}

}  // namespace

void cuGraphInstantiateWithFlags(CUgraphExec* made, CUgraph graph, unsigned long long flags) {
  CUgraphInstantiateResult why{};
  instantiate(made, graph, flags, why);
}

void cuGraphInstantiateWithParams(CUgraphExec* made, CUgraph graph,
                                  CUDA_GRAPH_INSTANTIATE_PARAMS* parameters) {
  instantiate(made, graph, parameters->flags, parameters->result_out);
}

void cuGraphInstantiate(CUgraphExec* made, CUgraph graph, CUgraphNode* error_node, char* log,
                        std::size_t room) {
  if (error_node != nullptr) *error_node = nullptr;
  if (log != nullptr && room != 0) *log = '\0';
  cuGraphInstantiateWithFlags(made, graph, 0);
}

void cuGraphExecDestroy(CUgraphExec handle) {
  const UserObjects held = std::move(executable_at(handle).objects);
  driver().executables.drop(handle);
  release(held);
}

void cuGraphExecGetFlags(CUgraphExec handle, cuuint64_t* flags) { *flags = executable_at(handle).flags; }

void cuGraphUpload(CUgraphExec handle, CUstream stream) {
  executable_at(handle);
  check_waitable(stream);
}

void cuGraphLaunch(CUgraphExec handle, CUstream stream) {
  settle_memory(executable_at(handle));
  check_waitable(stream);
  run(handle);
}

void cuGraphExecKernelNodeSetParams(CUgraphExec handle, CUgraphNode node,
                                    const CUDA_KERNEL_NODE_PARAMS* kernel) {
  change(handle, node, work_of(*kernel));
}
void cuGraphExecKernelNodeSetParams(CUgraphExec handle, CUgraphNode node,
                                    const CUDA_KERNEL_NODE_PARAMS_v1* kernel) {
  change(handle, node, work_of(newer(*kernel)));
}
void cuGraphExecMemcpyNodeSetParams(CUgraphExec handle, CUgraphNode node, const CUDA_MEMCPY3D* box,
                                    CUcontext) {
  change(handle, node, *box);
}
void cuGraphExecMemsetNodeSetParams(CUgraphExec handle, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* set,
                                    CUcontext) {
  change(handle, node, work_of(*set));
}
void cuGraphExecHostNodeSetParams(CUgraphExec handle, CUgraphNode node, const CUDA_HOST_NODE_PARAMS* host) {
  change(handle, node, work_of(*host));
}
void cuGraphExecBatchMemOpNodeSetParams(CUgraphExec handle, CUgraphNode node,
                                        const CUDA_BATCH_MEM_OP_NODE_PARAMS* operations) {
  change(handle, node, work_of(*operations));
}
void cuGraphExecEventRecordNodeSetEvent(CUgraphExec handle, CUgraphNode node, CUevent event) {
  change(handle, node, Event{event, false});
}
void cuGraphExecEventWaitNodeSetEvent(CUgraphExec handle, CUgraphNode node, CUevent event) {
  change(handle, node, Event{event, true});
}
void cuGraphExecChildGraphNodeSetParams(CUgraphExec handle, CUgraphNode node, CUgraph child) {
  Nodes other = executable(driver().graphs.at(child, CUDA_ERROR_INVALID_VALUE));
  CUgraphExec_st::Node& known = node_in(handle, node);
  require(std::holds_alternative<Child>(known.work));
  Nodes& mine = known.inside.front();
  CUgraphExecUpdateResult why{};
  require(mine.size() == other.size() && first_difference(mine, other, why) == nullptr);
  update(mine, other);
}
void cuGraphExecNodeSetParams(CUgraphExec handle, CUgraphNode node, CUgraphNodeParams* parameters) {
  require(parameters != nullptr);
  if (parameters->type == CU_GRAPH_NODE_TYPE_GRAPH)
    return cuGraphExecChildGraphNodeSetParams(handle, node, parameters->graph.graph);
  change(handle, node, work_of(*parameters));
}

void cuGraphNodeSetEnabled(CUgraphExec handle, CUgraphNode node, unsigned enabled) {
  CUgraphExec_st::Node& known = node_in(handle, node);
  const CUgraphNodeType type = type_of(known.work);
  require(type == CU_GRAPH_NODE_TYPE_KERNEL || type == CU_GRAPH_NODE_TYPE_MEMCPY ||
          type == CU_GRAPH_NODE_TYPE_MEMSET);
  known.enabled = enabled != 0;
}
void cuGraphNodeGetEnabled(CUgraphExec handle, CUgraphNode node, unsigned* enabled) {
  *enabled = node_in(handle, node).enabled;
}

void cuGraphExecUpdate(CUgraphExec handle, CUgraph graph, CUgraphExecUpdateResultInfo* result) {
  CUgraphExec_st& executable_graph = executable_at(handle);
  const CUgraph_st& from = driver().graphs.at(graph, CUDA_ERROR_INVALID_VALUE);
  Nodes& mine = executable_graph.nodes;
  Nodes other = executable(from);
  *result = {CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, nullptr, nullptr};
  require(mine.size() == other.size(), CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
  result->errorNode = first_difference(mine, other, result->result);
  require(result->errorNode == nullptr, CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
  update(mine, other);
  const UserObjects held = std::exchange(executable_graph.objects, retained_by(from));
  result->result = CU_GRAPH_EXEC_UPDATE_SUCCESS;
  release(held);
}

void cuGraphExecUpdate(CUgraphExec handle, CUgraph graph, CUgraphNode* error_node,
                       CUgraphExecUpdateResult* result) {
  CUgraphExecUpdateResultInfo info{};
  const auto tell = [&] {
    if (error_node != nullptr) *error_node = info.errorNode;
    if (result != nullptr) *result = info.result;
  };
  try {
    cuGraphExecUpdate(handle, graph, &info);
  } catch (const Failure&) {
    tell();
    throw;
  }
  tell();
}

}  // namespace wedjat::live::calls
