// Breadth-first search with a thread a node, two launches a level: the frontier is a mask over all nodes.
// Threads write the same values to the same places at the same time, so the result does not depend on their
// order.
#include "common/program.h"

struct Node {
  int starting, no_of_edges;
};

__global__ void visit(const Node* nodes, const int* edges, bool* mask, bool* updating, const bool* visited,
                      int* cost, int count) {
  const int tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid < count && mask[tid]) {
    mask[tid] = false;
    for (int i = nodes[tid].starting; i < (nodes[tid].no_of_edges + nodes[tid].starting); i++) {
      const int id = edges[i];
      if (!visited[id]) {
        cost[id] = cost[tid] + 1;
        updating[id] = true;
      }
    }
  }
}

__global__ void advance(bool* mask, bool* updating, bool* visited, bool* over, int count) {
  const int tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid < count && updating[tid]) {
    mask[tid] = true;
    visited[tid] = true;
    *over = true;
    updating[tid] = false;
  }
}

struct Graph {
  std::vector<Node> nodes;
  std::vector<int> edges;
};

// Degrees from 1 to 8.
static Graph random_graph(int count) {
  program::Random random(11);
  Graph graph;
  for (int i = 0; i < count; ++i) {
    const int degree = 1 + static_cast<int>(random.below(8));
    graph.nodes.push_back({static_cast<int>(graph.edges.size()), degree});
    for (int e = 0; e < degree; ++e) graph.edges.push_back(static_cast<int>(random.below(count)));
  }
  return graph;
}

static std::vector<int> reference(const Graph& graph, int source) {
  std::vector<int> cost(graph.nodes.size(), -1), queue{source};
  cost[source] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const Node node = graph.nodes[queue[head]];
    for (int e = 0; e < node.no_of_edges; ++e) {
      const int neighbour = graph.edges[node.starting + e];
      if (cost[neighbour] >= 0) continue;
      cost[neighbour] = cost[queue[head]] + 1;
      queue.push_back(neighbour);
    }
  }
  return cost;
}

int main(int argc, char** argv) {
  const int count = program::size(argc, argv, 8192, 1 << 20), source = 0;
  const Graph graph = random_graph(count);
  std::vector<int> cost_host(count, -1);
  cost_host[source] = 0;

  program::DeviceArray<Node> nodes(graph.nodes);
  program::DeviceArray<int> edges(graph.edges), cost(cost_host);
  program::DeviceArray<bool> mask(count), updating(count), visited(count), over(1);
  CUDA_CHECK(cudaMemset(mask, 0, count));
  CUDA_CHECK(cudaMemset(updating, 0, count));
  CUDA_CHECK(cudaMemset(visited, 0, count));
  CUDA_CHECK(cudaMemset(mask.get() + source, 1, 1));
  CUDA_CHECK(cudaMemset(visited.get() + source, 1, 1));
  const int blocks = program::blocks_for(count, 512);
  bool again = true;
  while (again) {
    again = false;
    CUDA_CHECK(cudaMemcpy(over, &again, sizeof again, cudaMemcpyHostToDevice));
    visit<<<blocks, 512>>>(nodes, edges, mask, updating, visited, cost, count);
    CHECK_LAUNCH();
    advance<<<blocks, 512>>>(mask, updating, visited, over, count);
    CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpy(&again, over, sizeof again, cudaMemcpyDeviceToHost));
  }
  return program::verdict("bfs", program::equal_bits("cost", cost.to_host(), reference(graph, source)));
}
