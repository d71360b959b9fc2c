// Graphs that decide: numbers go the way of Collatz until all are 1 (a loop in a captured stream), are
// doubled or halved (if and else, through the driver API), walk through three cases (a switch in a loop).
// Then nodes of a capture are changed.
#include <cuda.h>

#include <vector>

#include "common/program.h"

constexpr unsigned kBlock = 128;

__global__ void step(unsigned* numbers, unsigned* steps, unsigned n, unsigned* left) {
  const unsigned i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n || numbers[i] == 1) return;
  numbers[i] = numbers[i] % 2 ? 3 * numbers[i] + 1 : numbers[i] / 2;
  ++steps[i];
  if (numbers[i] != 1) atomicAdd(left, 1);
}

__global__ void again_while_left(unsigned* left, cudaGraphConditionalHandle condition) {
  cudaGraphSetConditional(condition, *left != 0);
  *left = 0;
}

__global__ void scale(unsigned* numbers, unsigned n, unsigned factor, unsigned divisor) {
  const unsigned i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) numbers[i] = numbers[i] * factor / divisor;
}

__global__ void choose(const unsigned* number, cudaGraphConditionalHandle condition) {
  cudaGraphSetConditional(condition, *number % 2);
}

__global__ void next_case(unsigned* round, unsigned last, cudaGraphConditionalHandle loop,
                          cudaGraphConditionalHandle which) {
  cudaGraphSetConditional(which, *round % 4);
  cudaGraphSetConditional(loop, ++*round < last);
}

struct Problem {
  unsigned n;
  std::vector<unsigned> in, out;
  unsigned *numbers, *steps, *left;  // on the device
  cudaStream_t stream, side;
  unsigned failures = 0;

  unsigned blocks() const { return program::blocks_for(n, kBlock); }
  void begin() {
    CUDA_CHECK(cudaMemcpy(numbers, in.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(steps, 0, n * sizeof(unsigned)));
    CUDA_CHECK(cudaMemset(left, 0, sizeof(unsigned)));
  }
  void launch(cudaGraphExec_t instance) {
    CUDA_CHECK(cudaGraphLaunch(instance, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
  }
  void bring(const unsigned* from) {
    CUDA_CHECK(cudaMemcpy(out.data(), from, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
  }
};

unsigned collatz(unsigned number) {
  unsigned count = 0;
  for (; number != 1; ++count) number = number % 2 ? 3 * number + 1 : number / 2;
  return count;
}

// step, then a loop of step, then scale: all in one stream, which is captured.
void loop_in_a_stream(Problem& p) {
  cudaGraph_t graph;
  cudaStreamCaptureStatus status;
  const cudaGraphNode_t* after;
  std::size_t count;
  CUDA_CHECK(cudaStreamBeginCapture(p.stream, cudaStreamCaptureModeGlobal));
  CUDA_CHECK(cudaStreamGetCaptureInfo(p.stream, &status, nullptr, &graph, &after, nullptr, &count));
  cudaGraphConditionalHandle condition;
  CUDA_CHECK(cudaGraphConditionalHandleCreate(&condition, graph, 0, 0));
  step<<<p.blocks(), kBlock, 0, p.stream>>>(p.numbers, p.steps, p.n, p.left);
  again_while_left<<<1, 1, 0, p.stream>>>(p.left, condition);
  CUDA_CHECK(cudaStreamGetCaptureInfo(p.stream, &status, nullptr, &graph, &after, nullptr, &count));
  cudaGraphNodeParams loop{cudaGraphNodeTypeConditional};
  loop.conditional.handle = condition;
  loop.conditional.type = cudaGraphCondTypeWhile;
  loop.conditional.size = 1;
  cudaGraphNode_t node;
  CUDA_CHECK(cudaGraphAddNode(&node, graph, after, nullptr, count, &loop));
  CUDA_CHECK(cudaStreamBeginCaptureToGraph(p.side, loop.conditional.phGraph_out[0], nullptr, nullptr, 0,
                                           cudaStreamCaptureModeGlobal));
  step<<<p.blocks(), kBlock, 0, p.side>>>(p.numbers, p.steps, p.n, p.left);
  again_while_left<<<1, 1, 0, p.side>>>(p.left, condition);
  CUDA_CHECK(cudaStreamEndCapture(p.side, nullptr));
  CUDA_CHECK(
      cudaStreamUpdateCaptureDependencies(p.stream, &node, nullptr, 1, cudaStreamSetCaptureDependencies));
  scale<<<p.blocks(), kBlock, 0, p.stream>>>(p.steps, p.n, 2, 1);
  CUDA_CHECK(cudaStreamEndCapture(p.stream, &graph));
  cudaGraphExec_t instance;
  CUDA_CHECK(cudaGraphInstantiate(&instance, graph, 0));
  for (int turn = 0; turn < 2; ++turn) {
    p.begin();
    p.launch(instance);
    p.bring(p.steps);
    for (unsigned i = 0; i < p.n; ++i) p.failures += p.out[i] != 2 * collatz(p.in[i]);
  }
  CUDA_CHECK(cudaGraphExecDestroy(instance));
  CUDA_CHECK(cudaGraphDestroy(graph));
}

#define DRIVER_CHECK(call) CUDA_CHECK(static_cast<cudaError_t>(call))

CUgraphNode launch_of(CUgraph graph, const CUgraphNode* after, const void* kernel, unsigned blocks,
                      unsigned threads, void** parameters) {
  CUDA_KERNEL_NODE_PARAMS node{};
  CUDA_CHECK(cudaGetFuncBySymbol(&node.func, kernel));
  node.gridDimX = blocks;
  node.blockDimX = threads;
  node.gridDimY = node.gridDimZ = node.blockDimY = node.blockDimZ = 1;
  node.kernelParams = parameters;
  CUgraphNode made;
  DRIVER_CHECK(cuGraphAddKernelNode(&made, graph, after, after != nullptr, &node));
  return made;
}

CUgraphNode decision(CUgraph graph, const CUgraphNode* after, CUgraphConditionalHandle condition,
                     CUgraphConditionalNodeType type, unsigned size, CUgraph* bodies) {
  CUgraphNodeParams node{};
  node.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
  node.conditional.handle = condition;
  node.conditional.type = type;
  node.conditional.size = size;
  DRIVER_CHECK(cuCtxGetCurrent(&node.conditional.ctx));
  CUgraphNode made;
  DRIVER_CHECK(cuGraphAddNode(&made, graph, after, nullptr, after != nullptr, &node));
  for (unsigned i = 0; i < size; ++i) bodies[i] = node.conditional.phGraph_out[i];
  return made;
}

// Doubled where the first number is odd, halved where it is even.
void if_and_else(Problem& p) {
  CUgraph graph, bodies[2];
  CUcontext context;
  DRIVER_CHECK(cuCtxGetCurrent(&context));
  DRIVER_CHECK(cuGraphCreate(&graph, 0));
  CUgraphConditionalHandle condition;
  DRIVER_CHECK(cuGraphConditionalHandleCreate(&condition, graph, context, 0, 0));
  unsigned one = 1, two = 2;
  void* to_choose[] = {&p.numbers, &condition};
  void* to_double[] = {&p.numbers, &p.n, &two, &one};
  void* to_halve[] = {&p.numbers, &p.n, &one, &two};
  const CUgraphNode chosen =
      launch_of(graph, nullptr, reinterpret_cast<const void*>(choose), 1, 1, to_choose);
  decision(graph, &chosen, condition, CU_GRAPH_COND_TYPE_IF, 2, bodies);
  launch_of(bodies[0], nullptr, reinterpret_cast<const void*>(scale), p.blocks(), kBlock, to_double);
  launch_of(bodies[1], nullptr, reinterpret_cast<const void*>(scale), p.blocks(), kBlock, to_halve);
  CUgraphExec instance;
  DRIVER_CHECK(cuGraphInstantiate(&instance, graph, 0));
  for (unsigned first : {3u, 4u}) {
    p.in[0] = first;
    p.begin();
    p.launch(instance);
    p.bring(p.numbers);
    for (unsigned i = 0; i < p.n; ++i) p.failures += p.out[i] != (first % 2 ? p.in[i] * 2 : p.in[i] / 2);
  }
  DRIVER_CHECK(cuGraphExecDestroy(instance));
  DRIVER_CHECK(cuGraphDestroy(graph));
}

// Six rounds: times 3, times 5, times 7, nothing, times 3, times 5.
void switch_in_a_loop(Problem& p) {
  CUgraph graph, body, cases[3];
  CUcontext context;
  DRIVER_CHECK(cuCtxGetCurrent(&context));
  DRIVER_CHECK(cuGraphCreate(&graph, 0));
  CUgraphConditionalHandle loop, which;
  DRIVER_CHECK(cuGraphConditionalHandleCreate(&loop, graph, context, 1, 1));
  DRIVER_CHECK(cuGraphConditionalHandleCreate(&which, graph, context, 0, 0));
  decision(graph, nullptr, loop, CU_GRAPH_COND_TYPE_WHILE, 1, &body);
  unsigned rounds = 6, one = 1, factors[] = {3, 5, 7};
  void* to_go_on[] = {&p.left, &rounds, &loop, &which};
  const CUgraphNode going =
      launch_of(body, nullptr, reinterpret_cast<const void*>(next_case), 1, 1, to_go_on);
  decision(body, &going, which, CU_GRAPH_COND_TYPE_SWITCH, 3, cases);
  for (int i = 0; i < 3; ++i) {
    void* to_scale[] = {&p.numbers, &p.n, &factors[i], &one};
    launch_of(cases[i], nullptr, reinterpret_cast<const void*>(scale), p.blocks(), kBlock, to_scale);
  }
  CUgraphExec instance;
  DRIVER_CHECK(cuGraphInstantiate(&instance, graph, 0));
  p.begin();
  p.launch(instance);
  p.bring(p.numbers);
  for (unsigned i = 0; i < p.n; ++i) p.failures += p.out[i] != p.in[i] * 3 * 5 * 7 * 3 * 5;
  DRIVER_CHECK(cuGraphExecDestroy(instance));
  DRIVER_CHECK(cuGraphDestroy(graph));
}

// Three captured launches; the first gets other parameters in the graph, the last in the instance, the one
// between is taken out.
void changed_captures(Problem& p) {
  cudaGraph_t graph;
  cudaGraphNode_t nodes[3];
  CUDA_CHECK(cudaStreamBeginCapture(p.stream, cudaStreamCaptureModeGlobal));
  for (cudaGraphNode_t& node : nodes) {
    scale<<<p.blocks(), kBlock, 0, p.stream>>>(p.numbers, p.n, 10, 1);
    cudaStreamCaptureStatus status;
    const cudaGraphNode_t* last;
    std::size_t count;
    CUDA_CHECK(cudaStreamGetCaptureInfo(p.stream, &status, nullptr, nullptr, &last, nullptr, &count));
    node = last[0];
  }
  CUDA_CHECK(cudaStreamEndCapture(p.stream, &graph));
  cudaKernelNodeParams launch;
  CUDA_CHECK(cudaGraphKernelNodeGetParams(nodes[0], &launch));
  unsigned factor = 3, one = 1;
  void* parameters[] = {&p.numbers, &p.n, &factor, &one};
  launch.kernelParams = parameters;
  CUDA_CHECK(cudaGraphKernelNodeSetParams(nodes[0], &launch));
  CUDA_CHECK(cudaGraphDestroyNode(nodes[1]));
  cudaGraphExec_t instance;
  CUDA_CHECK(cudaGraphInstantiate(&instance, graph, 0));
  factor = 7;
  CUDA_CHECK(cudaGraphExecKernelNodeSetParams(instance, nodes[2], &launch));
  p.begin();
  p.launch(instance);
  p.bring(p.numbers);
  for (unsigned i = 0; i < p.n; ++i) p.failures += p.out[i] != p.in[i] * 21;
  CUDA_CHECK(cudaGraphExecDestroy(instance));
  CUDA_CHECK(cudaGraphDestroy(graph));
}

int main(int argc, char** argv) {
  Problem p{static_cast<unsigned>(program::argument(argc, argv, 1, 1000))};
  p.out.resize(p.n);
  for (unsigned i = 0; i < p.n; ++i) p.in.push_back(i + 1);
  CUDA_CHECK(cudaMalloc(&p.numbers, p.n * sizeof(unsigned)));
  CUDA_CHECK(cudaMalloc(&p.steps, p.n * sizeof(unsigned)));
  CUDA_CHECK(cudaMalloc(&p.left, sizeof(unsigned)));
  CUDA_CHECK(cudaStreamCreate(&p.stream));
  CUDA_CHECK(cudaStreamCreate(&p.side));
  loop_in_a_stream(p);
  if_and_else(p);
  switch_in_a_loop(p);
  changed_captures(p);
  return program::verdict("decisions", p.failures == 0);
}
