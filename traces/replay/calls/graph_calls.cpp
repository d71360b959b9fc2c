// Graphs: what makes, changes, instantiates and launches them.
#include "cuda_abi.h"
#include "traces/replay/calls/graph_nodes.h"
#include "traces/replay/calls/handlers.h"

namespace wedjat::traces::handle {
namespace {

std::shared_ptr<Graph> graph_of(Replayer& replayer, const Call& call, std::uint64_t handle) {
  auto graph = replayer.graphs().graph(handle);
  if (!graph) replayer.refuse(call, "nothing was recorded of the graph it uses");
  return graph;
}

// cuda.h names the parameter differently in the two flavours of some calls.
std::shared_ptr<Graph> executable_of(Replayer& replayer, const Call& call) {
  const char* parameter = call.entry->find("hGraphExec") ? "hGraphExec" : "hGraph";
  auto graph = replayer.graphs().executable(call.entry->number(parameter));
  if (!graph) replayer.refuse(call, "nothing was recorded of the executable graph it uses");
  return graph;
}

GraphNode& known(Replayer& replayer, const Call& call, GraphNode* node) {
  if (!node)
    replayer.refuse(
        call, "the graph node it uses is not known: nodes made by stream capture have no handle in a trace");
  return *node;
}

GraphNode& node_of(Replayer& replayer, const Call& call) {
  return known(replayer, call, replayer.graphs().node(call.entry->number("hNode")));
}

GraphNode& node_of_executable(Replayer& replayer, const Call& call) {
  return known(replayer, call, executable_of(replayer, call)->find(call.entry->number("hNode")));
}

// The graph a child graph node holds, or null if the call makes another kind of node.
std::shared_ptr<Graph> child_of(Replayer& replayer, const Call& call) {
  std::uint64_t handle = 0;
  if (call.entry->find("childGraph")) {
    handle = call.entry->number("childGraph");
  } else if (call.base == "cuGraphAddNode") {
    const auto node = replayer.structure<CUgraphNodeParams>(call, "nodeParams");
    if (node.type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
      replayer.refuse(call, "conditional graph nodes are not replayed");
    if (node.type != CU_GRAPH_NODE_TYPE_GRAPH) return nullptr;
    handle = reinterpret_cast<std::uint64_t>(node.graph.graph);
  }
  return handle ? graph_of(replayer, call, handle)->copy() : nullptr;
}

}  // namespace

void begin_capture(Replayer& replayer, const Call& call) {
  replayer.graphs().begin_capture(call, call.base == "cuStreamBeginCaptureToGraph"
                                            ? graph_of(replayer, call, call.entry->number("hGraph"))
                                            : std::make_shared<Graph>());
}

void end_capture(Replayer& replayer, const Call& call) {
  replayer.graphs().end_capture(call, replayer.given_out(call, "phGraph_out"));
}

void create_graph(Replayer& replayer, const Call& call) {
  replayer.graphs().set_graph(replayer.given_out(call, "phGraph_out"), std::make_shared<Graph>());
}

void destroy_graph(Replayer& replayer, const Call& call) {
  replayer.graphs().drop_graph(call.entry->number("hGraph"));
}

void clone_graph(Replayer& replayer, const Call& call) {
  auto clone = graph_of(replayer, call, call.entry->number("originalGraph"))->copy();
  for (GraphNode& node : clone->nodes) node.origin = node.handle;
  replayer.graphs().set_graph(replayer.given_out(call, "phGraphClone_out"), std::move(clone));
}

void find_in_clone(Replayer& replayer, const Call& call) {
  const auto clone = graph_of(replayer, call, call.entry->number("hClonedGraph"));
  const std::uint64_t handle = replayer.given_out(call, "phNode_out");
  GraphNode& node = known(replayer, call, clone->find(call.entry->number("hOriginalNode")));
  for (GraphNode& other : clone->nodes)
    for (std::uint64_t& before : other.after)
      if (before == node.handle) before = handle;
  node.handle = handle;
  replayer.graphs().node_added(handle, clone);
}

void child_graph(Replayer& replayer, const Call& call) {
  const GraphNode& node = node_of(replayer, call);
  if (!node.child) replayer.refuse(call, "the node it uses holds no graph");
  replayer.graphs().set_graph(replayer.given_out(call, "phGraph_out"), node.child);
}

void add_node(Replayer& replayer, const Call& call) {
  const auto graph = graph_of(replayer, call, call.entry->number("hGraph"));
  GraphNode node;
  node.handle = replayer.given_out(call, "phGraphNode_out");
  node.parameters = &call;
  node.after = replayer.inputs(call, "dependencies");
  node.child = child_of(replayer, call);
  replayer.graphs().node_added(node.handle, graph);
  graph->nodes.push_back(std::move(node));
}

void destroy_node(Replayer& replayer, const Call& call) {
  replayer.graphs().drop_node(call.entry->number("hNode"));
}

void add_dependencies(Replayer& replayer, const Call& call) {
  const auto graph = graph_of(replayer, call, call.entry->number("hGraph"));
  const auto from = replayer.inputs(call, "from"), to = replayer.inputs(call, "to");
  for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i)
    known(replayer, call, graph->find(to[i])).after.push_back(from[i]);
}

void remove_dependencies(Replayer& replayer, const Call& call) {
  const auto graph = graph_of(replayer, call, call.entry->number("hGraph"));
  const auto from = replayer.inputs(call, "from"), to = replayer.inputs(call, "to");
  for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i)
    std::erase(known(replayer, call, graph->find(to[i])).after, from[i]);
}

void set_node(Replayer& replayer, const Call& call) { node_of(replayer, call).parameters = &call; }

void set_node_attribute(Replayer& replayer, const Call& call) {
  node_of(replayer, call).attributes[call.entry->number("attr")] = replayer.input(call, "value");
}

void copy_node_attributes(Replayer& replayer, const Call& call) {
  const auto node = [&](const char* parameter) -> GraphNode& {
    return known(replayer, call, replayer.graphs().node(call.entry->number(parameter)));
  };
  node("dst").attributes = node("src").attributes;
}

void instantiate_graph(Replayer& replayer, const Call& call) {
  replayer.graphs().set_executable(replayer.given_out(call, "phGraphExec_out"),
                                   graph_of(replayer, call, call.entry->number("hGraph"))->copy());
}

void destroy_executable(Replayer& replayer, const Call& call) {
  replayer.graphs().drop_executable(call.entry->number("hGraphExec"));
}

void set_node_of_executable(Replayer& replayer, const Call& call) {
  GraphNode& node = node_of_executable(replayer, call);
  if (auto child = child_of(replayer, call)) node.child = std::move(child);
  node.parameters = &call;
}

void enable_node(Replayer& replayer, const Call& call) {
  node_of_executable(replayer, call).enabled = call.entry->number("isEnabled") != 0;
}

// The graph it takes its parameters from has the same shape. Nodes keep the names of the graph it was made
// from.
void update_executable(Replayer& replayer, const Call& call) {
  const auto executable = executable_of(replayer, call);
  const auto graph = graph_of(replayer, call, call.entry->number("hGraph"))->copy();
  if (graph->nodes.size() != executable->nodes.size())
    replayer.refuse(call, "the graphs have different numbers of nodes");
  for (std::size_t i = 0; i < graph->nodes.size(); ++i) {
    GraphNode& node = graph->nodes[i];
    if (node.handle != executable->nodes[i].handle) node.origin = executable->nodes[i].handle;
    node.enabled = executable->nodes[i].enabled;
  }
  *executable = std::move(*graph);
}

void launch_graph(Replayer& replayer, const Call& call) {
  const auto graph = executable_of(replayer, call);
  const std::string opaque = kernel_without_ptx(replayer, *graph);
  if (!opaque.empty() && replayer.step_over(call, opaque)) return;
  run_graph(replayer, call, *graph);
  replayer.check_effects(call);
}

}  // namespace wedjat::traces::handle
