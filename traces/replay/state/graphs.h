// CUDA graphs: made node by node, or by stream capture. Launching one carries out its nodes, each after those
// it depends on.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "interposer/meaning/conditions.h"
#include "traces/read/trace.h"

namespace wedjat::traces {

struct Graph;

struct GraphNode {
  std::uint64_t handle = 0;          // CUgraphNode; 0 for a captured call of which the trace tells none
  std::uint64_t origin = 0;          // of a clone: the handle it was cloned from
  std::uint64_t first = 0;           // of an updated executable graph: the handle it was made from
  const Call* parameters = nullptr;  // the call that set them last; of a captured node: the call itself
  bool captured = false, enabled = true;
  std::vector<std::uint64_t> after;                  // handles of the nodes it depends on
  std::shared_ptr<Graph> child;                      // of a child graph node
  std::map<std::uint64_t, Bytes> attributes;         // CUkernelNodeAttrID -> CUkernelNodeAttrValue
  std::shared_ptr<interposer::Condition> condition;  // of a conditional node
  CUgraphConditionalNodeType decides{};
  std::vector<std::shared_ptr<Graph>> bodies;

  std::vector<std::shared_ptr<Graph>> inside() const;  // the graphs that belong to the node
};

using Conditions = std::map<std::uint64_t, std::shared_ptr<interposer::Condition>>;  // by handle

struct Graph {
  std::vector<GraphNode> nodes;                                             // as they were added
  std::shared_ptr<Conditions> conditions = std::make_shared<Conditions>();  // its own, and its bodies'

  GraphNode* find(std::uint64_t handle);  // in the graphs that belong to its nodes too
  // Every node after those it depends on; otherwise as they were added. A dependency that is not known (a
  // captured node, which has no handle) means all nodes added before.
  std::vector<const GraphNode*> in_order() const;
  std::shared_ptr<Graph> copy() const;  // child graphs included
};

class Graphs {
 public:
  // True if the call goes into a graph instead of running. `last`: the node that the stream's next call will
  // depend on, 0 if the trace does not tell.
  bool capture(const Call& call, std::uint64_t last);

  void begin_capture(const Call& call, std::shared_ptr<Graph> graph);  // cuStreamBeginCapture, …ToGraph
  void end_capture(const Call& call, std::uint64_t graph);             // cuStreamEndCapture; 0: not told

  // Null if there is none.
  std::shared_ptr<Graph> graph(std::uint64_t handle) const;
  std::shared_ptr<Graph> executable(std::uint64_t handle) const;
  GraphNode* node(std::uint64_t handle) const;  // of any graph

  void set_graph(std::uint64_t handle, std::shared_ptr<Graph> graph);
  void set_executable(std::uint64_t handle, std::shared_ptr<Graph> graph);
  void node_added(std::uint64_t handle, const std::shared_ptr<Graph>& graph) { nodes_[handle] = graph; }
  void drop_graph(std::uint64_t handle) { graphs_.erase(handle); }
  void drop_executable(std::uint64_t handle) { executables_.erase(handle); }
  void drop_node(std::uint64_t handle);

 private:
  std::unordered_map<std::uint64_t, std::shared_ptr<Graph>> capturing_;  // by stream
  std::unordered_map<std::uint64_t, std::shared_ptr<Graph>> events_;     // recorded by a capturing stream
  std::unordered_map<std::uint64_t, std::shared_ptr<Graph>> graphs_, executables_;
  std::unordered_map<std::uint64_t, std::weak_ptr<Graph>> nodes_;  // by node handle
};

}  // namespace wedjat::traces
