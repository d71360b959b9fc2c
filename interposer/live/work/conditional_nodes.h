// Nodes of graphs that run other graphs, or do not: if, while, switch.
#pragma once

#include "interposer/live/state/driver.h"

namespace wedjat::live {

// The graphs that the node may run are told in the parameters.
void add_conditional_node(CUgraphNode* node, CUgraph graph, std::vector<CUgraphNode> after,
                          CUDA_CONDITIONAL_NODE_PARAMS& parameters);

// What a graph with conditions may hold, before it becomes executable. Fails as the driver does.
void check_conditions(CUgraph_st& graph, CUgraphInstantiateResult& why);

}  // namespace wedjat::live
