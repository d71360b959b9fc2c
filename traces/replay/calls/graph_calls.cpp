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
        call,
        "the graph node it uses is not known: of what a stream captured, this recording tells no nodes");
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
    if (node.type != CU_GRAPH_NODE_TYPE_GRAPH) return nullptr;
    handle = reinterpret_cast<std::uint64_t>(node.graph.graph);
  }
  return handle ? graph_of(replayer, call, handle)->copy() : nullptr;
}

// The graphs that a conditional node decides between, as the driver named them.
void add_bodies(Replayer& replayer, const Call& call, const Graph& graph, GraphNode& node) {
  const auto conditional = replayer.structure<CUgraphNodeParams>(call, "nodeParams").conditional;
  const auto condition = graph.conditions->find(conditional.handle);
  if (condition == graph.conditions->end())
    replayer.refuse(call, "nothing was recorded of the condition it looks at");
  const Event* const bodies = call.payload("nodeParams.conditional.phGraph_out");
  if (bodies == nullptr) replayer.refuse(call, "the graphs that it decides between were not recorded");
  if (!interposer::may_have_bodies(conditional.type, conditional.size))
    replayer.refuse(call, "a node of its type cannot have so many graphs");
  const Bytes handles = replayer.trace().contents(*bodies);
  node.condition = condition->second;
  node.decides = conditional.type;
  for (unsigned i = 0; i < conditional.size; ++i) {
    const auto handle = replayer.structure<std::uint64_t>(call, handles, i);
    const auto body = node.bodies.emplace_back(std::make_shared<Graph>());
    body->conditions = graph.conditions;
    replayer.graphs().set_graph(handle, body);
  }
}

bool is_conditional(Replayer& replayer, const Call& call) {
  return call.base == "cuGraphAddNode" &&
         replayer.structure<CUgraphNodeType>(call, "nodeParams") == CU_GRAPH_NODE_TYPE_CONDITIONAL;
}

// A captured launch has its attributes with it; they stay when it gets other parameters.
void keep_attributes(Replayer& replayer, GraphNode& node) {
  if (!node.captured) return;
  for (const CUlaunchAttribute& attribute : launch_attributes(replayer, *node.parameters)) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(&attribute.value);
    node.attributes.try_emplace(attribute.id, bytes, bytes + sizeof attribute.value);
  }
}

void give_parameters(Replayer& replayer, GraphNode& node, const Call& call) {
  keep_attributes(replayer, node);
  node.parameters = &call;
  node.captured = false;
}

// Nodes keep the names of the graph that the executable one was made from, however often it is updated.
void keep_names(Graph& graph, const Graph& before) {
  for (std::size_t i = 0; i < std::min(graph.nodes.size(), before.nodes.size()); ++i) {
    GraphNode& node = graph.nodes[i];
    const GraphNode& same = before.nodes[i];
    node.first = same.first != 0 ? same.first : same.handle;
    node.origin = same.origin;
    node.enabled = same.enabled;
    const auto inside = node.inside(), other = same.inside();
    for (std::size_t g = 0; g < std::min(inside.size(), other.size()); ++g) keep_names(*inside[g], *other[g]);
  }
}

}  // namespace

void begin_capture(Replayer& replayer, const Call& call) {
  replayer.graphs().begin_capture(call, call.base == "cuStreamBeginCaptureToGraph"
                                            ? graph_of(replayer, call, call.entry->number("hGraph"))
                                            : std::make_shared<Graph>());
}

void end_capture(Replayer& replayer, const Call& call) {
  // Who captures into a graph of his own may not ask for it.
  const auto handle = call.exit->numbers("phGraph_out");
  replayer.graphs().end_capture(call, handle.empty() ? 0 : handle.front());
}

void create_condition(Replayer& replayer, const Call& call) {
  constexpr std::uint64_t assign_default = 1;  // CU_GRAPH_COND_ASSIGN_DEFAULT is a macro
  const auto graph = graph_of(replayer, call, call.entry->number("hGraph"));
  const std::uint64_t handle = replayer.given_out(call, "pHandle_out_out");
  (*graph->conditions)[handle] = std::make_shared<interposer::Condition>(
      interposer::Condition{handle, static_cast<unsigned>(call.entry->number("defaultLaunchValue")),
                            call.entry->number("flags") == assign_default});
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
  if (is_conditional(replayer, call)) add_bodies(replayer, call, *graph, node);
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

void set_node(Replayer& replayer, const Call& call) {
  give_parameters(replayer, node_of(replayer, call), call);
}

void set_node_attribute(Replayer& replayer, const Call& call) {
  GraphNode& node = node_of(replayer, call);
  keep_attributes(replayer, node);
  node.attributes[call.entry->number("attr")] = replayer.input(call, "value");
}

void copy_node_attributes(Replayer& replayer, const Call& call) {
  const auto node = [&](const char* parameter) -> GraphNode& {
    return known(replayer, call, replayer.graphs().node(call.entry->number(parameter)));
  };
  keep_attributes(replayer, node("src"));
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
  give_parameters(replayer, node, call);
}

void enable_node(Replayer& replayer, const Call& call) {
  node_of_executable(replayer, call).enabled = call.entry->number("isEnabled") != 0;
}

// The graph it takes its parameters from has the same shape.
void update_executable(Replayer& replayer, const Call& call) {
  const auto executable = executable_of(replayer, call);
  const auto graph = graph_of(replayer, call, call.entry->number("hGraph"))->copy();
  if (graph->nodes.size() != executable->nodes.size())
    replayer.refuse(call, "the graphs have different numbers of nodes");
  keep_names(*graph, *executable);
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
