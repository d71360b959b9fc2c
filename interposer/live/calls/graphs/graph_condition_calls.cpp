// Conditions of graphs: the words that conditional nodes look at.
#include "interposer/live/state/driver.h"
#include "live_calls.h"

namespace wedjat::live::calls {

void cuGraphConditionalHandleCreate(CUgraphConditionalHandle* handle, CUgraph graph_handle, CUcontext where,
                                    unsigned at_first, unsigned flags) {
  constexpr unsigned assign_default = 1;  // CU_GRAPH_COND_ASSIGN_DEFAULT is a macro
  CUgraph_st& graph = driver().graphs.at(graph_handle, CUDA_ERROR_INVALID_VALUE);
  require(flags <= assign_default);
  CUctx_st& owner = named_context(where);
  *handle = ++whole(graph).last_condition;
  graph.conditions.push_back(
      std::make_shared<Condition>(Condition{{*handle, at_first, flags == assign_default}, &owner}));
}

}  // namespace wedjat::live::calls
