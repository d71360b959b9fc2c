#include "traces/replay/state/graphs.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "cuda_abi.h"
#include "interposer/meaning/graph_order.h"
#include "traces/format/api_table.h"

namespace wedjat::traces {
namespace {

// The stream a call works in, as a key of its own for each thread's default stream; nothing if it has none.
std::optional<std::uint64_t> stream_of(const Call& call) {
  const ApiFunction* function = find_api_function(call.symbol);
  if (!function) return std::nullopt;
  std::optional<std::uint64_t> stream;
  for (const ApiParameter& parameter : function->parameters)
    if (parameter.type == "CUstream") stream = call.entry->number(parameter.name);
  if (call.base == "cuLaunchKernelEx") {
    const Bytes& config = call.entry->bytes("config_in");
    if (config.size() == sizeof(CUlaunchConfig)) {
      CUlaunchConfig value;
      std::memcpy(&value, config.data(), sizeof value);
      stream = reinterpret_cast<std::uint64_t>(value.hStream);
    }
  }
  constexpr std::uint64_t per_thread = 2;  // CU_STREAM_PER_THREAD
  if (stream && (*stream == per_thread || (*stream == 0 && !function->flavour.empty())))
    return std::uint64_t{1} << 63 | static_cast<std::uint32_t>(call.entry->thread);
  return stream;
}

}  // namespace

std::vector<std::shared_ptr<Graph>> GraphNode::inside() const { return child ? std::vector{child} : bodies; }

GraphNode* Graph::find(std::uint64_t handle) {
  const auto found = std::find_if(nodes.begin(), nodes.end(), [&](const GraphNode& node) {
    return handle && (node.handle == handle || node.origin == handle || node.first == handle);
  });
  if (found != nodes.end()) return &*found;
  for (const GraphNode& node : nodes)
    for (const auto& graph : node.inside())
      if (GraphNode* const within = graph->find(handle)) return within;
  return nullptr;
}

std::vector<const GraphNode*> Graph::in_order() const {
  std::unordered_map<std::uint64_t, std::size_t> index;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].handle) index[nodes[i].handle] = i;
  const auto ready = [&](std::size_t i, const std::vector<bool>& done, std::size_t first_open) {
    return std::all_of(nodes[i].after.begin(), nodes[i].after.end(), [&](std::uint64_t handle) {
      const auto found = index.find(handle);
      return found == index.end() ? first_open >= i : done[found->second];
    });
  };
  std::vector<const GraphNode*> order;
  for (const std::size_t i : interposer::graph_order(nodes.size(), ready)) order.push_back(&nodes[i]);
  return order;
}

std::shared_ptr<Graph> Graph::copy() const {
  auto result = std::make_shared<Graph>(*this);
  for (GraphNode& node : result->nodes) {
    if (node.child) node.child = node.child->copy();
    for (auto& body : node.bodies) body = body->copy();
  }
  return result;
}

bool Graphs::capture(const Call& call, std::uint64_t last) {
  if (capturing_.empty()) return false;
  const auto stream = stream_of(call);
  if (!stream) return false;
  if (call.base == "cuStreamWaitEvent") {  // a stream that waits for a captured event joins the capture
    const auto event = events_.find(call.entry->number("hEvent"));
    if (event != events_.end()) capturing_[*stream] = event->second;
    return true;
  }
  const auto found = capturing_.find(*stream);
  if (found == capturing_.end() || call.base == "cuStreamEndCapture") return false;
  const std::shared_ptr<Graph>& graph = found->second;
  if (call.base == "cuStreamGetCaptureInfo") {
    if (call.exit->find("graph_out_out"))
      for (const std::uint64_t handle : call.exit->numbers("graph_out_out")) graphs_[handle] = graph;
    return true;
  }
  if (call.base.rfind("cuEventRecord", 0) == 0) events_[call.entry->number("hEvent")] = graph;
  const auto known = nodes_.find(last);
  if (known != nodes_.end() && known->second.lock() == graph) return true;  // it made no node
  GraphNode node;
  node.handle = last;
  node.parameters = &call;
  node.captured = true;
  graph->nodes.push_back(std::move(node));
  if (last != 0) nodes_[last] = graph;
  return true;
}

void Graphs::begin_capture(const Call& call, std::shared_ptr<Graph> graph) {
  if (const auto stream = stream_of(call)) capturing_[*stream] = std::move(graph);
}

void Graphs::end_capture(const Call& call, std::uint64_t handle) {
  const auto stream = stream_of(call);
  const auto found = stream ? capturing_.find(*stream) : capturing_.end();
  if (found == capturing_.end()) return;
  const std::shared_ptr<Graph> captured = found->second;
  std::erase_if(capturing_, [&](const auto& item) { return item.second == captured; });
  std::erase_if(events_, [&](const auto& item) { return item.second == captured; });
  if (handle != 0) graphs_[handle] = captured;
}

std::shared_ptr<Graph> Graphs::graph(std::uint64_t handle) const {
  const auto found = graphs_.find(handle);
  return found == graphs_.end() ? nullptr : found->second;
}

std::shared_ptr<Graph> Graphs::executable(std::uint64_t handle) const {
  const auto found = executables_.find(handle);
  return found == executables_.end() ? nullptr : found->second;
}

GraphNode* Graphs::node(std::uint64_t handle) const {
  const auto found = nodes_.find(handle);
  const auto graph = found == nodes_.end() ? nullptr : found->second.lock();
  return graph ? graph->find(handle) : nullptr;
}

void Graphs::set_graph(std::uint64_t handle, std::shared_ptr<Graph> graph) {
  graphs_[handle] = std::move(graph);
}

void Graphs::set_executable(std::uint64_t handle, std::shared_ptr<Graph> graph) {
  executables_[handle] = std::move(graph);
}

void Graphs::drop_node(std::uint64_t handle) {
  const auto found = nodes_.find(handle);
  if (found == nodes_.end()) return;
  if (const auto graph = found->second.lock()) {
    std::erase_if(graph->nodes, [&](const GraphNode& node) { return node.handle == handle; });
    for (GraphNode& node : graph->nodes) std::erase(node.after, handle);
  }
  nodes_.erase(found);
}

}  // namespace wedjat::traces
