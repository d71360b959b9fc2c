// Conditions of graphs: the words that conditional nodes look at.
#include "interposer/live/state/driver.h"
#include "live_calls.h"

namespace wedjat::live::calls {

void cuGraphConditionalHandleCreate(CUgraphConditionalHandle* handle, CUgraph graph_handle, CUcontext where,
                                    unsigned at_first, unsigned flags) {
  CUgraph_st& graph = driver().graphs.at(graph_handle, CUDA_ERROR_INVALID_VALUE);
  CUctx_st& owner = named_context(where);
  *handle = ++whole(graph).last_condition;
  graph.conditions.push_back(std::make_shared<Condition>(Condition{{*handle, at_first, flags != 0}, &owner}));
}

}  // namespace wedjat::live::calls
