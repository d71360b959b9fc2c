// Graphs as such: made, copied, asked for their nodes and edges.
#include <algorithm>

#include "interposer/live/state/driver.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

CUgraph_st& graph_at(CUgraph handle) { return driver().graphs.at(handle, CUDA_ERROR_INVALID_VALUE); }
// Without a place to write to: how many there are; else as many as there is room for, and null behind them.
void give_list(const std::vector<CUgraphNode>& found, CUgraphNode* to, std::size_t* count) {
  if (to != nullptr)
    for (std::size_t i = 0; i < *count; ++i) to[i] = i < found.size() ? found[i] : nullptr;
  *count = to == nullptr ? found.size() : std::min(*count, found.size());
}

struct Edges {
  std::vector<CUgraphNode> from, to;
};

Edges edges_of(const CUgraph_st& graph) {
  Edges edges;
  for (const CUgraphNode node : graph.nodes)
    for (const CUgraphNode before : node->after) {
      edges.from.push_back(before);
      edges.to.push_back(node);
    }
  return edges;
}

std::vector<CUgraphNode> dependents_of(const CUgraphNode_st& node) {
  std::vector<CUgraphNode> found;
  for (const CUgraphNode other : node.graph->nodes)
    if (std::ranges::find(other->after, &node) != other->after.end()) found.push_back(other);
  return found;
}

}  // namespace

void cuGraphCreate(CUgraph* graph, unsigned flags) {
  require(flags == 0);
  *graph = &make_graph();
}

void cuGraphDestroy(CUgraph handle) {
  CUgraph_st& graph = graph_at(handle);
  require(graph.holder == nullptr);
  destroy_graph(graph);
}

void cuGraphClone(CUgraph* clone, CUgraph original) {
  const CUgraph_st& graph = graph_at(original);
  require(!has_conditions(graph) && !is_body(graph) && !has_memory(graph), CUDA_ERROR_NOT_SUPPORTED);
  *clone = &copy_of(graph);
}

void cuGraphNodeFindInClone(CUgraphNode* twin, CUgraphNode original, CUgraph clone) {
  node_at(original);
  for (const CUgraphNode node : graph_at(clone).nodes)
    if (node->origin == original) {
      *twin = node;
      return;
    }
  fail(CUDA_ERROR_INVALID_VALUE);
}

void cuGraphAddDependencies(CUgraph handle, const CUgraphNode* from, const CUgraphNode* to,
                            std::size_t count) {
  const CUgraph_st& graph = graph_at(handle);
  require(count == 0 || (from != nullptr && to != nullptr));
  for (std::size_t i = 0; i < count; ++i) {
    require(node_at(from[i]).graph == &graph && node_at(to[i]).graph == &graph && from[i] != to[i]);
    require(std::ranges::find(to[i]->after, from[i]) == to[i]->after.end());
    to[i]->after.push_back(from[i]);
  }
}

void cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                            const CUgraphEdgeData*, std::size_t count) {
  cuGraphAddDependencies(graph, from, to, count);
}

void cuGraphRemoveDependencies(CUgraph handle, const CUgraphNode* from, const CUgraphNode* to,
                               std::size_t count) {
  const CUgraph_st& graph = graph_at(handle);
  require(count == 0 || (from != nullptr && to != nullptr));
  require(!has_memory(graph), CUDA_ERROR_NOT_SUPPORTED);
  for (std::size_t i = 0; i < count; ++i) {
    require(node_at(from[i]).graph == &graph && node_at(to[i]).graph == &graph);
    require(std::erase(to[i]->after, from[i]) != 0);
  }
}

void cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                               const CUgraphEdgeData*, std::size_t count) {
  cuGraphRemoveDependencies(graph, from, to, count);
}

void cuGraphGetNodes(CUgraph graph, CUgraphNode* nodes, std::size_t* count) {
  give_list(graph_at(graph).nodes, nodes, count);
}

void cuGraphGetRootNodes(CUgraph graph, CUgraphNode* nodes, std::size_t* count) {
  std::vector<CUgraphNode> roots;
  for (const CUgraphNode node : graph_at(graph).nodes)
    if (node->after.empty()) roots.push_back(node);
  give_list(roots, nodes, count);
}

void cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, std::size_t* count) {
  require((from == nullptr) == (to == nullptr));
  const Edges edges = edges_of(graph_at(graph));
  std::size_t same = *count;
  give_list(edges.from, from, &same);
  give_list(edges.to, to, count);
}

void cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData* data,
                     std::size_t* count) {
  cuGraphGetEdges(graph, from, to, count);
  if (data != nullptr) std::fill_n(data, *count, CUgraphEdgeData{});
}

void cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType* type) { *type = type_of(node_at(node).work); }

void cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* nodes, std::size_t* count) {
  give_list(node_at(node).after, nodes, count);
}

void cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* nodes, CUgraphEdgeData* data,
                                std::size_t* count) {
  cuGraphNodeGetDependencies(node, nodes, count);
  if (data != nullptr) std::fill_n(data, *count, CUgraphEdgeData{});
}

void cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* nodes, std::size_t* count) {
  give_list(dependents_of(node_at(node)), nodes, count);
}

void cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* nodes, CUgraphEdgeData* data,
                                  std::size_t* count) {
  cuGraphNodeGetDependentNodes(node, nodes, count);
  if (data != nullptr) std::fill_n(data, *count, CUgraphEdgeData{});
}

void cuGraphDestroyNode(CUgraphNode handle) {
  CUgraphNode_st& node = node_at(handle);
  require(!has_memory(*node.graph), CUDA_ERROR_NOT_SUPPORTED);
  for (const CUgraphNode after : dependents_of(node)) std::erase(after->after, handle);
  std::erase(node.graph->nodes, handle);
  for (const CUgraph inner : graphs_of(node.work)) destroy_graph(*inner);
  if (const Conditional* const conditional = std::get_if<Conditional>(&node.work))
    conditional->condition->is_used = false;
  driver().nodes.drop(handle);
}

}  // namespace wedjat::live::calls
