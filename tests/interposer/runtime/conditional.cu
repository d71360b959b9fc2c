// A graph that counts down: a while node whose kernel decides whether it runs once more.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void count_down(int* words, cudaGraphConditionalHandle handle) {
  words[1] = 3 * words[1] + words[0];
  cudaGraphSetConditional(handle, --words[0] > 0);
}

int main() {
  int values[2] = {5, 1};
  int* words = nullptr;
  cudaGraph_t graph;
  cudaGraphConditionalHandle handle;
  cudaGraphNode_t node;
  cudaGraphExec_t executable;
  cudaStream_t stream;
  cudaMalloc(&words, sizeof values);
  cudaMemcpy(words, values, sizeof values, cudaMemcpyHostToDevice);
  cudaStreamCreate(&stream);
  cudaGraphCreate(&graph, 0);
  cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);
  cudaGraphNodeParams parameters = {cudaGraphNodeTypeConditional};
  parameters.conditional.handle = handle;
  parameters.conditional.type = cudaGraphCondTypeWhile;
  parameters.conditional.size = 1;
  cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters);
  cudaStreamBeginCaptureToGraph(stream, parameters.conditional.phGraph_out[0], nullptr, nullptr, 0,
                                cudaStreamCaptureModeGlobal);
  count_down<<<1, 1, 0, stream>>>(words, handle);
  cudaGraph_t body = nullptr;
  cudaStreamEndCapture(stream, &body);
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);
  cudaMemcpy(values, words, sizeof values, cudaMemcpyDeviceToHost);
  std::printf("%d %d %s\n", values[0], values[1], cudaGetErrorName(cudaGetLastError()));
}
