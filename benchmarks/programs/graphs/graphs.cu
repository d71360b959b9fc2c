// out = (in * factor + start) * 11 by a graph made node by node: copies, a memset, kernels, a child graph, a
// host function. Then its instance, its clone and its nodes are changed.
#include "common/program.h"

constexpr int kBlock = 128;

__global__ void scale(unsigned* data, unsigned n, unsigned factor) {
  const unsigned i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) data[i] *= factor;
}

__global__ void add(unsigned* to, const unsigned* from, unsigned n) {
  const unsigned i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) to[i] += from[i];
}

__global__ void count_up(unsigned* to, unsigned n) {
  const unsigned i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) to[i] = i;
}

struct Problem {
  unsigned n;
  std::vector<unsigned> in, out;
  unsigned *work, *sum;          // on the device
  unsigned* host_function_runs;  // pinned
  unsigned failures = 0;

  void expect(unsigned factor, unsigned start) {
    for (unsigned i = 0; i < n; ++i) failures += out[i] != (in[i] * factor + start) * 11;
  }
};

cudaKernelNodeParams kernel(const void* function, unsigned n, void** parameters) {
  cudaKernelNodeParams node{};
  node.func = const_cast<void*>(function);
  node.gridDim = dim3((n + kBlock - 1) / kBlock);
  node.blockDim = dim3(kBlock);
  node.kernelParams = parameters;
  return node;
}

cudaMemsetParams filled(unsigned* memory, unsigned n, unsigned value) {
  cudaMemsetParams node{};
  node.dst = memory;
  node.value = value;
  node.elementSize = 4;
  node.width = n;
  node.height = 1;
  return node;
}

void launch(cudaGraphExec_t instance, cudaStream_t stream) {
  CUDA_CHECK(cudaGraphLaunch(instance, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
}

struct Nodes {
  cudaGraph_t graph;
  cudaGraphNode_t scale, fill, copy_out;
};

Nodes make(Problem& p) {
  Nodes nodes;
  cudaGraph_t child;
  CUDA_CHECK(cudaGraphCreate(&nodes.graph, 0));
  CUDA_CHECK(cudaGraphCreate(&child, 0));
  const std::size_t bytes = p.n * sizeof(unsigned);
  cudaGraphNode_t copy_in, sum, child_kernel, nested, join, host;
  CUDA_CHECK(cudaGraphAddMemcpyNode1D(&copy_in, nodes.graph, nullptr, 0, p.work, p.in.data(), bytes,
                                      cudaMemcpyHostToDevice));
  const cudaMemsetParams start = filled(p.sum, p.n, 5);
  CUDA_CHECK(cudaGraphAddMemsetNode(&nodes.fill, nodes.graph, nullptr, 0, &start));

  unsigned three = 3, eleven = 11;
  void* scale_parameters[] = {&p.work, &p.n, &three};
  const cudaKernelNodeParams scaled = kernel(reinterpret_cast<void*>(scale), p.n, scale_parameters);
  CUDA_CHECK(cudaGraphAddKernelNode(&nodes.scale, nodes.graph, &copy_in, 1, &scaled));
  void* add_parameters[] = {&p.sum, &p.work, &p.n};
  const cudaKernelNodeParams added = kernel(reinterpret_cast<void*>(add), p.n, add_parameters);
  const cudaGraphNode_t both[] = {nodes.scale, nodes.fill};
  CUDA_CHECK(cudaGraphAddKernelNode(&sum, nodes.graph, both, 2, &added));

  void* child_parameters[] = {&p.sum, &p.n, &eleven};
  const cudaKernelNodeParams in_child = kernel(reinterpret_cast<void*>(scale), p.n, child_parameters);
  CUDA_CHECK(cudaGraphAddKernelNode(&child_kernel, child, nullptr, 0, &in_child));
  CUDA_CHECK(cudaGraphAddChildGraphNode(&nested, nodes.graph, &sum, 1, child));
  CUDA_CHECK(cudaGraphAddEmptyNode(&join, nodes.graph, nullptr, 0));
  CUDA_CHECK(cudaGraphAddDependencies(nodes.graph, &nested, &join, nullptr, 1));
  const cudaHostNodeParams counted{[](void* runs) { ++*static_cast<unsigned*>(runs); }, p.host_function_runs};
  CUDA_CHECK(cudaGraphAddHostNode(&host, nodes.graph, &join, 1, &counted));
  CUDA_CHECK(cudaGraphAddMemcpyNode1D(&nodes.copy_out, nodes.graph, &host, 1, p.out.data(), p.sum, bytes,
                                      cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaGraphDestroy(child));
  return nodes;
}

void change(Problem& p, const Nodes& nodes, cudaGraphExec_t instance, cudaStream_t stream) {
  unsigned factor = 100;
  void* parameters[] = {&p.work, &p.n, &factor};
  const cudaKernelNodeParams scaled = kernel(reinterpret_cast<void*>(scale), p.n, parameters);
  CUDA_CHECK(cudaGraphExecKernelNodeSetParams(instance, nodes.scale, &scaled));
  const cudaMemsetParams start = filled(p.sum, p.n, 6);
  CUDA_CHECK(cudaGraphExecMemsetNodeSetParams(instance, nodes.fill, &start));
  launch(instance, stream);
  p.expect(100, 6);

  cudaGraph_t clone;
  cudaGraphNode_t in_clone;
  cudaGraphExecUpdateResultInfo result;
  CUDA_CHECK(cudaGraphClone(&clone, nodes.graph));
  CUDA_CHECK(cudaGraphNodeFindInClone(&in_clone, nodes.scale, clone));
  factor = 9;
  CUDA_CHECK(cudaGraphKernelNodeSetParams(in_clone, &scaled));
  CUDA_CHECK(cudaGraphExecUpdate(instance, clone, &result));
  launch(instance, stream);
  p.expect(9, 5);

  CUDA_CHECK(cudaGraphNodeSetEnabled(instance, nodes.scale, 0));
  launch(instance, stream);
  p.expect(1, 5);
}

// Memory that a graph allocates and frees.
void allocate_inside(Problem& p, cudaStream_t stream) {
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  cudaGraphNode_t allocation, written, copied, freed;
  CUDA_CHECK(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams memory{};
  memory.poolProps.allocType = cudaMemAllocationTypePinned;
  memory.poolProps.location.type = cudaMemLocationTypeDevice;
  memory.bytesize = p.n * sizeof(unsigned);
  CUDA_CHECK(cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &memory));
  void* parameters[] = {&memory.dptr, &p.n};
  const cudaKernelNodeParams counted = kernel(reinterpret_cast<void*>(count_up), p.n, parameters);
  CUDA_CHECK(cudaGraphAddKernelNode(&written, graph, &allocation, 1, &counted));
  CUDA_CHECK(cudaGraphAddMemcpyNode1D(&copied, graph, &written, 1, p.out.data(), memory.dptr, memory.bytesize,
                                      cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaGraphAddMemFreeNode(&freed, graph, &copied, 1, memory.dptr));
  CUDA_CHECK(cudaGraphInstantiate(&instance, graph, 0));
  for (int round = 0; round < 2; ++round) launch(instance, stream);
  for (unsigned i = 0; i < p.n; ++i) p.failures += p.out[i] != i;
}

int main(int argc, char** argv) {
  Problem p;
  p.n = static_cast<unsigned>(program::argument(argc, argv, 1, 3000));
  p.in.resize(p.n);
  p.out.resize(p.n);
  program::Random random(11);
  for (unsigned& value : p.in) value = static_cast<unsigned>(random.bits());
  const program::DeviceArray<unsigned> work(p.n), sum(p.n);
  p.work = work;
  p.sum = sum;
  CUDA_CHECK(cudaMallocHost(&p.host_function_runs, sizeof(unsigned)));
  *p.host_function_runs = 0;

  cudaStream_t stream;
  cudaGraphExec_t instance;
  CUDA_CHECK(cudaStreamCreate(&stream));
  const Nodes nodes = make(p);
  CUDA_CHECK(cudaGraphInstantiate(&instance, nodes.graph, 0));
  for (unsigned round = 0; round < 2; ++round) {
    p.in[0] = round;  // copied when the graph is launched
    launch(instance, stream);
    p.expect(3, 5);
  }
  change(p, nodes, instance, stream);
  allocate_inside(p, stream);
  return program::verdict("graphs", p.failures == 0 && *p.host_function_runs == 5);
}
