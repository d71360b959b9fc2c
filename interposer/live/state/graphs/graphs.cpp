#include "interposer/live/state/graphs/graphs.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

#include "interposer/live/state/driver.h"
#include "interposer/live/state/graphs/kernel_launches.h"
#include "interposer/live/state/perform.h"
#include "interposer/meaning/graph_order.h"

namespace wedjat::live {

void release(CUuserObject_st& object, unsigned count) {
  object.references -= count;
  if (object.references != 0) return;
  const CUuserObject_st gone = object;
  driver().user_objects.drop(&object);
  call_out(gone.destroy, gone.data);
}

void release(const UserObjects& objects) {
  for (const auto& [object, count] : objects) release(*object, count);
}

UserObjects retained(const UserObjects& objects) {
  for (const auto& [object, count] : objects) object->references += count;
  return objects;
}

UserObjects retained_by(const CUgraph_st& graph) {
  UserObjects all = retained(graph.objects);
  for (const CUgraphNode node : graph.nodes)
    for (const CUgraph inner : graphs_of(node->work))
      for (const auto& [object, count] : retained_by(*inner)) all[object] += count;
  return all;
}

CUgraph_st& make_graph() { return *driver().graphs.add(std::make_unique<CUgraph_st>()); }

CUgraphNode add_node(CUgraph_st& graph, Work work, std::vector<CUgraphNode> after) {
  for (const CUgraphNode before : after)
    require(driver().nodes.at(before, CUDA_ERROR_INVALID_VALUE).graph == &graph);
  require(std::set(after.begin(), after.end()).size() == after.size());
  auto made = std::make_unique<CUgraphNode_st>();
  made->graph = &graph;
  made->work = std::move(work);
  made->after = std::move(after);
  const CUgraphNode node = driver().nodes.add(std::move(made));
  for (const CUgraph inner : graphs_of(node->work)) inner->holder = node;
  graph.nodes.push_back(node);
  return node;
}

void destroy_graph(CUgraph_st& graph) {
  for (const CUgraphNode node : graph.nodes) {
    for (const CUgraph inner : graphs_of(node->work)) destroy_graph(*inner);
    driver().nodes.drop(node);
  }
  const UserObjects held = std::move(graph.objects);
  driver().graphs.drop(&graph);
  release(held);
}

std::vector<CUgraph> graphs_of(const Work& work) {
  if (const Child* const child = std::get_if<Child>(&work)) return {child->graph};
  if (const Conditional* const conditional = std::get_if<Conditional>(&work)) return conditional->bodies;
  return {};
}

CUgraph_st& whole(CUgraph_st& graph) { return graph.holder == nullptr ? graph : whole(*graph.holder->graph); }

bool is_body(const CUgraph_st& graph) {
  return graph.holder != nullptr && std::holds_alternative<Conditional>(graph.holder->work);
}

bool has_memory(const CUgraph_st& graph) {
  return std::ranges::any_of(graph.nodes, [](CUgraphNode node) {
    return std::holds_alternative<Allocating>(node->work) || std::holds_alternative<Freeing>(node->work);
  });
}

bool has_conditions(const CUgraph_st& graph) {
  return std::ranges::any_of(graph.nodes, [](CUgraphNode node) {
    return std::holds_alternative<Conditional>(node->work) ||
           std::ranges::any_of(graphs_of(node->work), [](CUgraph inner) { return has_conditions(*inner); });
  });
}

CUgraph_st& copy_of(const CUgraph_st& graph) {
  CUgraph_st& copy = make_graph();
  std::unordered_map<CUgraphNode, CUgraphNode> twins;
  for (const CUgraphNode node : graph.nodes) {
    Work work = node->work;
    if (Child* child = std::get_if<Child>(&work)) child->graph = &copy_of(*child->graph);
    const CUgraphNode twin = twins[node] = add_node(copy, std::move(work), {});
    twin->origin = node;
  }
  for (const CUgraphNode node : graph.nodes)
    for (const CUgraphNode before : node->after) twins[node]->after.push_back(twins[before]);
  copy.objects = retained(graph.objects);
  return copy;
}

std::vector<CUgraphExec_st::Node> executable(const CUgraph_st& graph) {
  std::unordered_map<CUgraphNode, std::size_t> index;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) index[graph.nodes[i]] = i;
  const auto ready = [&](std::size_t i, const std::vector<bool>& done, std::size_t) {
    return std::ranges::all_of(graph.nodes[i]->after,
                               [&](CUgraphNode before) { return done[index[before]]; });
  };
  const std::vector<std::size_t> order = interposer::graph_order(graph.nodes.size(), ready);
  require(order.size() == graph.nodes.size());
  std::vector<CUgraphExec_st::Node> nodes;
  std::unordered_map<CUgraphNode, std::size_t> place;
  for (const std::size_t i : order) {
    const CUgraphNode node = graph.nodes[i];
    CUgraphExec_st::Node made{node, node->work, {}, {}};
    for (const CUgraphNode before : node->after) made.after.push_back(place[before]);
    for (const CUgraph inner : graphs_of(node->work)) made.inside.push_back(executable(*inner));
    place[node] = nodes.size();
    nodes.push_back(std::move(made));
  }
  return nodes;
}

namespace {

using Nodes = std::vector<CUgraphExec_st::Node>;

void collect_conditions(const Nodes& nodes, std::vector<interposer::Condition*>& found) {
  for (const CUgraphExec_st::Node& node : nodes) {
    if (const Conditional* const conditional = std::get_if<Conditional>(&node.work))
      found.push_back(&conditional->condition->word);
    for (const Nodes& inside : node.inside) collect_conditions(inside, found);
  }
}

// A graph that runs.
struct Running {
  interposer::ConditionWords* words = nullptr;  // null: it has no conditions
  std::vector<CUgraphExec> behind;              // that its kernels launched to come behind it
};

void run(const Nodes& nodes, Running& running);

void run(const CUgraphExec_st::Node& node, Running& running) {
  if (std::holds_alternative<Child>(node.work)) return run(node.inside.front(), running);
  if (const Conditional* const conditional = std::get_if<Conditional>(&node.work))
    return interposer::decide(
        conditional->type, node.inside.size(),
        [&] { return running.words->value(conditional->condition->word); },
        [&](std::size_t body) { run(node.inside[body], running); });
  std::optional<interposer::ConditionWords::Lent> lent;
  std::optional<KernelLaunches> launches;
  const Kernel* const kernel = std::get_if<Kernel>(&node.work);
  const CUfunc_st* const function = kernel == nullptr ? nullptr : driver().functions.find(kernel->function);
  if (running.words != nullptr && function != nullptr)
    lent.emplace(*running.words, function->module->context->device);
  if (function != nullptr && function->module->launches_graphs)
    launches.emplace(function->module->context->device);
  carry_out(node.work);
  if (!launches) return;
  const std::vector<KernelLaunch> asked = launches->asked_for();
  launches.reset();  // the graphs may have kernels that launch, too
  lent.reset();
  for (const KernelLaunch& launch : asked)
    if (launch.is_tail())
      running.behind.push_back(launch.graph);
    else
      live::run(launch.graph);
}

void run(const Nodes& nodes, Running& running) {
  for (const CUgraphExec_st::Node& node : nodes)
    if (node.enabled) run(node, running);
}

// The graphs that come behind it.
std::vector<CUgraphExec> run_once(const Nodes& nodes) {
  std::vector<interposer::Condition*> conditions;
  collect_conditions(nodes, conditions);
  Running running;
  std::optional<interposer::ConditionWords> words;
  if (!conditions.empty()) running.words = &words.emplace(std::move(conditions));
  run(nodes, running);
  return std::move(running.behind);
}

// A graph is among those that run as long as this lives.
class OneMore {
 public:
  explicit OneMore(CUgraphExec graph) { driver().running_graphs.push_back(graph); }
  ~OneMore() { driver().running_graphs.pop_back(); }
  OneMore(const OneMore&) = delete;
};

}  // namespace

void run(CUgraphExec handle) {
  std::vector<CUgraphExec> waiting = {handle};  // the next one last
  while (!waiting.empty()) {
    const CUgraphExec next = waiting.back();
    waiting.pop_back();
    if (std::ranges::count(driver().running_graphs, next) != 0)
      fail(CUDA_ERROR_INVALID_VALUE, "a kernel launches its graph once more before it is over");
    const OneMore more(next);
    CUgraphExec_st& graph = driver().executables.at(next, CUDA_ERROR_INVALID_VALUE);
    graph.is_waiting = false;
    const std::vector<CUgraphExec> behind = run_once(graph.nodes);
    waiting.insert(waiting.end(), behind.rbegin(), behind.rend());
  }
}

void run(const Nodes& nodes) {
  for (const CUgraphExec behind : run_once(nodes)) run(behind);
}

}  // namespace wedjat::live
