// Graphs, and streams that are captured into them.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "interposer/live/state/graphs/captures.h"
#include "interposer/live/state/graphs/conditions.h"
#include "interposer/live/state/work.h"

struct CUgraphNode_st {
  CUgraph graph = nullptr;
  wedjat::live::Work work;
  std::vector<CUgraphNode> after;  // that it depends on
  CUgraphNode origin = nullptr;    // in the graph that this one is a clone of
};

// Of the program; what destroys it is called with the last reference.
struct CUuserObject_st {
  void* data;
  CUhostFn destroy;
  unsigned references;
};

namespace wedjat::live {
using UserObjects = std::map<CUuserObject, unsigned>;  // references that a graph holds
}  // namespace wedjat::live

struct CUgraph_st {
  std::vector<CUgraphNode> nodes;  // as they were added
  CUgraphNode holder = nullptr;    // the node whose child it is
  wedjat::live::UserObjects objects;
  std::vector<std::shared_ptr<wedjat::live::Condition>> conditions;  // that were made for it
  CUgraphConditionalHandle last_condition = 0;  // of it and of the graphs in it, if it lies in none
  std::weak_ptr<void> instance;                 // where it may have one executable graph alone
};

// A copy: later changes of the graph do not reach it.
struct CUgraphExec_st {
  struct Node {
    CUgraphNode origin = nullptr;
    wedjat::live::Work work;
    std::vector<std::size_t> after;
    std::vector<std::vector<Node>> inside;  // of the graphs that belong to the node
    bool enabled = true;
  };
  std::vector<Node> nodes;  // in the order in which they are carried out
  unsigned long long flags = 0;
  wedjat::live::UserObjects objects;
  std::shared_ptr<void> instance;
  bool is_waiting = false;  // a kernel launched it, and it does not run yet

  bool is_for_kernels() const { return (flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH) != 0; }
};

namespace wedjat::live {

// Gives references back; the last one calls the program.
void release(CUuserObject_st& object, unsigned count);
void release(const UserObjects& objects);
UserObjects retained(const UserObjects& objects);
// What it and the graphs in it hold.
UserObjects retained_by(const CUgraph_st& graph);

CUgraph_st& make_graph();
CUgraphNode add_node(CUgraph_st& graph, Work work, std::vector<CUgraphNode> after);
void destroy_graph(CUgraph_st& graph);
CUgraph_st& copy_of(const CUgraph_st& graph);
// That belong to the node: a child, bodies of a condition.
std::vector<CUgraph> graphs_of(const Work& work);
// The graph that this one lies in and that lies in none.
CUgraph_st& whole(CUgraph_st& graph);
bool is_body(const CUgraph_st& graph);  // of a condition
bool has_conditions(const CUgraph_st& graph);
// Memory of its own: then it has no copy, loses no node, and has one executable graph at a time.
bool has_memory(const CUgraph_st& graph);

// Fails with CUDA_ERROR_INVALID_VALUE if nodes depend on each other in a circle.
std::vector<CUgraphExec_st::Node> executable(const CUgraph_st& graph);
// A launch of an executable graph, or of a child, and of what its kernels launch. Fails with
// CUDA_ERROR_INVALID_VALUE.
void run(CUgraphExec handle);
void run(const std::vector<CUgraphExec_st::Node>& nodes);

}  // namespace wedjat::live
