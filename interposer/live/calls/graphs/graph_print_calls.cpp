// A graph as a picture: nodes with what they do, for dot.
#include <fmt/format.h>

#include <fstream>

#include "interposer/live/state/driver.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

std::string name_of(const Work& work) {
  switch (type_of(work)) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      return std::get<Kernel>(work).function->name;
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      return "MEMCPY";
    case CU_GRAPH_NODE_TYPE_MEMSET:
      return "MEMSET";
    case CU_GRAPH_NODE_TYPE_HOST:
      return "HOST";
    case CU_GRAPH_NODE_TYPE_GRAPH:
      return "GRAPH";
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
      return "EVENT_WAIT";
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return "EVENT_RECORD";
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
      return "MEM_ALLOC";
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
      return "MEM_FREE";
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
      return "BATCH_MEM_OP";
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
      return "CONDITIONAL";
    default:
      return "EMPTY";
  }
}

}  // namespace

void cuGraphDebugDotPrint(CUgraph handle, const char* path, unsigned) {
  const CUgraph_st& graph = driver().graphs.at(handle, CUDA_ERROR_INVALID_VALUE);
  std::map<CUgraphNode, std::size_t> numbers;
  std::string text = "digraph graph_1 {\n";
  for (const CUgraphNode node : graph.nodes) {
    const std::size_t number = numbers.emplace(node, numbers.size()).first->second;
    text += fmt::format("  node_{} [shape=box, label=\"{}\\n{}\"];\n", number, number, name_of(node->work));
  }
  for (const CUgraphNode node : graph.nodes)
    for (const CUgraphNode before : node->after)
      text += fmt::format("  node_{} -> node_{};\n", numbers[before], numbers[node]);
  std::ofstream file(path);
  file << text << "}\n";
  if (!file.flush()) fail(CUDA_ERROR_OPERATING_SYSTEM, std::string(path) + ": cannot be written");
}

}  // namespace wedjat::live::calls
