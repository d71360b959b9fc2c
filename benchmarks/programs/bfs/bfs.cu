// Breadth-first search of a random graph, one launch a level, the frontier a queue filled with atomics.
// The order within a queue is up to the machine; the levels and the queue lengths are not.
#include <utility>

#include "common/program.h"

constexpr int kUnvisited = -1;

__global__ void expand(const int* offsets, const int* edges, const int* frontier, int frontier_size,
                       int level, int* levels, int* next, int* next_size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= frontier_size) return;
  const int node = frontier[i];
  for (int edge = offsets[node]; edge < offsets[node + 1]; ++edge) {
    const int neighbour = edges[edge];
    if (atomicCAS(&levels[neighbour], kUnvisited, level) == kUnvisited) {
      next[atomicAdd(next_size, 1)] = neighbour;
    }
  }
}

struct Graph {
  std::vector<int> offsets, edges;
};

// Degrees from 0 to 15, a few hubs of 200: lanes of one warp have loops of very different length.
static Graph random_graph(int nodes) {
  program::Random random(9);
  Graph graph{{0}, {}};
  for (int node = 0; node < nodes; ++node) {
    const unsigned degree = random.below(500) == 0 ? 200 : random.below(16);
    for (unsigned i = 0; i < degree; ++i) graph.edges.push_back(static_cast<int>(random.below(nodes)));
    graph.offsets.push_back(static_cast<int>(graph.edges.size()));
  }
  if (graph.edges.empty()) graph.edges.push_back(0);
  return graph;
}

static std::vector<int> host_levels(const Graph& graph, int source) {
  std::vector<int> levels(graph.offsets.size() - 1, kUnvisited), queue{source};
  levels[source] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const int node = queue[head];
    for (int edge = graph.offsets[node]; edge < graph.offsets[node + 1]; ++edge) {
      const int neighbour = graph.edges[edge];
      if (levels[neighbour] != kUnvisited) continue;
      levels[neighbour] = levels[node] + 1;
      queue.push_back(neighbour);
    }
  }
  return levels;
}

int main(int argc, char** argv) {
  const int nodes = program::argument(argc, argv, 1, 8000);
  const int source = nodes / 2;
  const Graph graph = random_graph(nodes);

  std::vector<int> initial(nodes, kUnvisited);
  initial[source] = 0;
  program::DeviceArray<int> offsets(graph.offsets), edges(graph.edges), levels(initial);
  program::DeviceArray<int> first(nodes), second(nodes), next_size(1);
  program::DeviceArray<int>*frontier = &first, *next = &second;
  CUDA_CHECK(cudaMemcpy(frontier->get(), &source, sizeof(int), cudaMemcpyHostToDevice));
  int size = 1;
  for (int level = 1; size > 0; ++level) {
    CUDA_CHECK(cudaMemset(next_size, 0, sizeof(int)));
    expand<<<program::blocks_for(size, 128), 128>>>(offsets, edges, *frontier, size, level, levels, *next,
                                                    next_size);
    CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpy(&size, next_size, sizeof(int), cudaMemcpyDeviceToHost));
    std::swap(frontier, next);
  }
  return program::verdict("bfs", program::equal_bits("levels", levels.to_host(), host_levels(graph, source)));
}
