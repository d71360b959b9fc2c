#include "interposer/live/work/conditional_nodes.h"

namespace wedjat::live {
namespace {

std::shared_ptr<Condition> find_condition(const CUgraph_st& graph, CUgraphConditionalHandle handle) {
  for (const auto& condition : graph.conditions)
    if (condition->word.handle == handle) return condition;
  for (const CUgraphNode node : graph.nodes)
    for (const CUgraph inner : graphs_of(node->work))
      if (auto found = find_condition(*inner, handle)) return found;
  return nullptr;
}

// The one with that handle, of any graph of the whole one.
std::shared_ptr<Condition> condition_of(CUgraph_st& graph, CUgraphConditionalHandle handle) {
  auto found = find_condition(whole(graph), handle);
  if (found == nullptr) fail(CUDA_ERROR_INVALID_VALUE);
  return found;
}

// Bodies hold what the device does without the host.
bool may_be_in_body(CUgraphNodeType type) {
  return type == CU_GRAPH_NODE_TYPE_KERNEL || type == CU_GRAPH_NODE_TYPE_MEMCPY ||
         type == CU_GRAPH_NODE_TYPE_MEMSET || type == CU_GRAPH_NODE_TYPE_EMPTY ||
         type == CU_GRAPH_NODE_TYPE_GRAPH || type == CU_GRAPH_NODE_TYPE_CONDITIONAL;
}

void check_body(const CUgraph_st& graph) {
  for (const CUgraphNode node : graph.nodes) {
    require(may_be_in_body(type_of(node->work)));
    for (const CUgraph inner : graphs_of(node->work)) check_body(*inner);
  }
}

void check_all(const CUgraph_st& graph, CUgraphInstantiateResult& why) {
  why = CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED;
  for (const auto& condition : graph.conditions) require(condition->is_used);
  why = CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED;
  for (const CUgraphNode node : graph.nodes) {
    if (const Conditional* const conditional = std::get_if<Conditional>(&node->work))
      for (const CUgraph body : conditional->bodies) check_body(*body);
  }
}

}  // namespace

void add_conditional_node(CUgraphNode* node, CUgraph handle, std::vector<CUgraphNode> after,
                          CUDA_CONDITIONAL_NODE_PARAMS& parameters) {
  CUgraph_st& graph = driver().graphs.at(handle, CUDA_ERROR_INVALID_VALUE);
  require(interposer::may_have_bodies(parameters.type, parameters.size));
  const std::shared_ptr<Condition> condition = condition_of(graph, parameters.handle);
  require(!condition->is_used);
  require(&named_context(parameters.ctx) == condition->context);
  Conditional work{condition, parameters.type, {}};
  for (unsigned i = 0; i < parameters.size; ++i) work.bodies.push_back(&make_graph());
  *node = add_node(graph, std::move(work), std::move(after));
  condition->is_used = true;
  parameters.phGraph_out = std::get<Conditional>((*node)->work).bodies.data();
}

void check_conditions(CUgraph_st& graph, CUgraphInstantiateResult& why) {
  check_all(graph, why);
  why = CUDA_GRAPH_INSTANTIATE_ERROR;
  require(!is_body(graph) && graph.instance.expired(), CUDA_ERROR_NOT_SUPPORTED);
}

}  // namespace wedjat::live
