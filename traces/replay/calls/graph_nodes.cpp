#include "traces/replay/calls/graph_nodes.h"

#include <algorithm>
#include <optional>

#include "cuda_abi.h"
#include "interposer/meaning/conditions.h"
#include "interposer/meaning/launches.h"
#include "traces/replay/calls/copy.h"
#include "traces/replay/calls/handlers.h"

namespace wedjat::traces {
namespace {

// CUgraphNodeParams, which every node can be described by, begins with its type.
constexpr std::size_t header = 16;

// What a node is and its parameters as C lays them out.
struct Description {
  CUgraphNodeType type;
  Bytes bytes;
};

Description describe(Replayer& replayer, const Call& call) {
  const auto has = [&](const char* kind) { return call.base.find(kind) != std::string::npos; };
  const auto named = [&](const char* parameter) {
    return replayer.input(call, call.entry->find(std::string(parameter) + "_in") ? parameter : "nodeParams");
  };
  if (has("KernelNode")) return {CU_GRAPH_NODE_TYPE_KERNEL, named("nodeParams")};
  if (has("MemcpyNode")) return {CU_GRAPH_NODE_TYPE_MEMCPY, named("copyParams")};
  if (has("MemsetNode")) return {CU_GRAPH_NODE_TYPE_MEMSET, named("memsetParams")};
  if (has("HostNode")) return {CU_GRAPH_NODE_TYPE_HOST, {}};
  if (has("ChildGraphNode")) return {CU_GRAPH_NODE_TYPE_GRAPH, {}};
  if (has("EmptyNode") || has("EventRecordNode") || has("EventWaitNode"))
    return {CU_GRAPH_NODE_TYPE_EMPTY, {}};
  if (has("MemAllocNode")) return {CU_GRAPH_NODE_TYPE_MEM_ALLOC, call.exit->bytes("nodeParams_out")};
  if (has("MemFreeNode")) {
    const std::uint64_t address = call.entry->number("dptr");
    const auto* bytes = reinterpret_cast<const std::byte*>(&address);
    return {CU_GRAPH_NODE_TYPE_MEM_FREE, Bytes(bytes, bytes + sizeof address)};
  }
  if (has("BatchMemOpNode")) return {CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, named("nodeParams")};
  if (!has("AddNode") && !has("NodeSetParams"))
    replayer.refuse(call, "replay does not know this kind of graph node");
  // cuGraphAddNode and its kin; an allocation's address comes back in the parameters.
  const auto type = replayer.structure<CUgraphNodeType>(call, "nodeParams");
  Bytes bytes = type == CU_GRAPH_NODE_TYPE_MEM_ALLOC ? call.exit->bytes("nodeParams_out")
                                                     : replayer.input(call, "nodeParams");
  bytes.erase(bytes.begin(), bytes.begin() + std::min(header, bytes.size()));
  if (type == CU_GRAPH_NODE_TYPE_MEMCPY)
    bytes.erase(bytes.begin(),
                bytes.begin() + std::min(offsetof(CUDA_MEMCPY_NODE_PARAMS, copyParams), bytes.size()));
  return {type, std::move(bytes)};
}

std::uint64_t function_of(const CUDA_KERNEL_NODE_PARAMS& kernel) {
  return reinterpret_cast<std::uint64_t>(kernel.func ? static_cast<const void*>(kernel.func) : kernel.kern);
}

CUDA_KERNEL_NODE_PARAMS kernel_of(Replayer& replayer, const Call& call, Bytes bytes) {
  // The first version of the struct lacks the last two members.
  if (bytes.size() == sizeof(CUDA_KERNEL_NODE_PARAMS_v1)) bytes.resize(sizeof(CUDA_KERNEL_NODE_PARAMS));
  return replayer.structure<CUDA_KERNEL_NODE_PARAMS>(call, bytes);
}

void set_attributes(Replayer& replayer, const GraphNode& node, device::LaunchConfig& config) {
  for (const auto& [id, value] : node.attributes)
    interposer::set_attribute(config, static_cast<CUlaunchAttributeID>(id),
                              replayer.structure<CUlaunchAttributeValue>(*node.parameters, value));
}

void run_kernel(Replayer& replayer, const GraphNode& node, const Bytes& bytes) {
  const Call& call = *node.parameters;
  const auto kernel = kernel_of(replayer, call, bytes);
  device::LaunchConfig config = interposer::launch_config(kernel);
  set_attributes(replayer, node, config);
  replayer.launch(call, function_of(kernel), config, reinterpret_cast<std::uint64_t>(kernel.ctx));
}

// Attributes that a captured launch was given afterwards are not in its call.
void run_captured(Replayer& replayer, const GraphNode& node) {
  const Call& call = *node.parameters;
  if (node.attributes.empty()) return replayer.carry_out(call);
  device::LaunchConfig config = handle::launch_config(replayer, call);
  set_attributes(replayer, node, config);
  replayer.launch(call, call.entry->number("f"), config);
}

void run_memset(Replayer& replayer, const Call& call, const Bytes& bytes) {
  const auto set = replayer.structure<CUDA_MEMSET_NODE_PARAMS_v1>(call, bytes);
  fill(replayer, call, set.dst, set.pitch, set.value, set.elementSize, set.width, set.height);
}

void run_allocation(Replayer& replayer, const Call& call, const Bytes& bytes) {
  const auto memory = replayer.structure<CUDA_MEM_ALLOC_NODE_PARAMS>(call, bytes);
  // A graph that frees its memory at the next launch still holds it.
  if (!replayer.device().is_allocated(memory.dptr)) replayer.allocate(call, memory.dptr, memory.bytesize);
}

void run_node(Replayer& replayer, const GraphNode& node) {
  const Call& call = *node.parameters;
  if (node.captured) return run_captured(replayer, node);
  const Description what = describe(replayer, call);
  switch (what.type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      return run_kernel(replayer, node, what.bytes);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      return copy_box(replayer, call, what.bytes);
    case CU_GRAPH_NODE_TYPE_MEMSET:
      return run_memset(replayer, call, what.bytes);
    case CU_GRAPH_NODE_TYPE_HOST:
      return replayer.run_host_function(call);
    case CU_GRAPH_NODE_TYPE_EMPTY:
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
      return run_allocation(replayer, call, what.bytes);
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
      return replayer.release(call, replayer.structure<std::uint64_t>(call, what.bytes));
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP: {
      const auto operations = replayer.structure<CUDA_BATCH_MEM_OP_NODE_PARAMS>(call, what.bytes);
      const Event* list = call.payload("nodeParams.paramArray");
      if (!list) list = call.payload("nodeParams.memOp.paramArray");
      if (!list) replayer.refuse(call, "its memory operations were not recorded");
      return handle::memory_operations(replayer, call, replayer.trace().contents(*list), operations.count);
    }
    default:
      replayer.refuse(call,
                      "replay does not know graph nodes of CUgraphNodeType " + std::to_string(what.type));
  }
}

void collect_conditions(const Graph& graph, std::vector<interposer::Condition*>& found) {
  for (const GraphNode& node : graph.nodes) {
    if (node.condition) found.push_back(node.condition.get());
    for (const auto& inside : node.inside()) collect_conditions(*inside, found);
  }
}

// One launch of a graph.
class Run {
 public:
  Run(Replayer& replayer, const Call& launch, std::vector<interposer::Condition*> conditions)
      : replayer_(replayer),
        launch_(launch),
        has_conditions_(!conditions.empty()),
        words_(std::move(conditions)) {}

  void nodes_of(const Graph& graph) {
    const auto order = graph.in_order();
    if (order.size() != graph.nodes.size())
      replayer_.refuse(launch_, "its nodes depend on each other in a circle");
    for (const GraphNode* node : order)
      if (node->enabled) one(*node);
  }

 private:
  void one(const GraphNode& node) {
    replayer_.tell_node(launch_, *node.parameters, index_++);
    if (node.child) return nodes_of(*node.child);
    if (node.condition)
      return interposer::decide(
          node.decides, node.bodies.size(), [&] { return words_.value(*node.condition); },
          [&](std::size_t body) { body_of(node, body); });
    std::optional<interposer::ConditionWords::Lent> lent;
    if (has_conditions_) lent.emplace(words_, replayer_.device());
    run_node(replayer_, node);
  }

  // Kernels alone change what a condition holds: a loop that ran none would go on for ever.
  void body_of(const GraphNode& node, std::size_t body) {
    const std::uint64_t before = replayer_.steps();
    nodes_of(*node.bodies[body]);
    if (node.decides != CU_GRAPH_COND_TYPE_WHILE) return;
    if (replayer_.steps() == before)
      replayer_.refuse(launch_, "a loop of its graph runs no kernel, and never ends");
    replayer_.check_steps(launch_, steps_before_);
  }

  Replayer& replayer_;
  const Call& launch_;
  bool has_conditions_;
  interposer::ConditionWords words_;
  std::uint32_t index_ = 0;  // of the next node, those of inner graphs counted
  std::uint64_t steps_before_ = replayer_.steps();
};

}  // namespace

void run_graph(Replayer& replayer, const Call& launch, const Graph& graph) {
  std::vector<interposer::Condition*> conditions;
  collect_conditions(graph, conditions);
  Run(replayer, launch, std::move(conditions)).nodes_of(graph);
}

std::string kernel_without_ptx(Replayer& replayer, const Graph& graph) {
  for (const GraphNode& node : graph.nodes) {
    const Call& call = *node.parameters;
    std::string found;
    for (const auto& inside : node.inside())
      if (found.empty()) found = kernel_without_ptx(replayer, *inside);
    if (node.child || node.condition) {
      // What lies inside is all that it does.
    } else if (node.captured) {
      if (call.base.rfind("cuLaunch", 0) == 0 && call.entry->find("f"))
        found = replayer.no_ptx(call.entry->number("f"));
    } else if (const Description what = describe(replayer, call); what.type == CU_GRAPH_NODE_TYPE_KERNEL) {
      found = replayer.no_ptx(function_of(kernel_of(replayer, call, what.bytes)));
    }
    if (!found.empty()) return found;
  }
  return {};
}

}  // namespace wedjat::traces
