// y = a x + y, with what the runtime API offers besides: symbols, managed memory, streams, events, templates.
#include <cstdio>

__constant__ float a;
__device__ int launches;
__managed__ int threads;

template <class T>
__global__ void saxpy(T* y, const T* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) atomicAdd(&launches, 1);
  if (i >= n) return;
  y[i] = a * x[i] + y[i];
  atomicAdd(&threads, 1);
}

int main() {
  constexpr int n = 1000;
  const float two = 2;
  float host[n], *x, *y, milliseconds;
  int counted;
  cudaStream_t stream;
  cudaEvent_t begin, end;
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaStreamCreate(&stream);
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaMalloc(&x, sizeof host);
  cudaMallocManaged(&y, sizeof host);
  cudaMemcpyAsync(x, host, sizeof host, cudaMemcpyHostToDevice, stream);
  cudaMemcpyToSymbolAsync(a, &two, sizeof two, 0, cudaMemcpyHostToDevice, stream);
  for (int i = 0; i < n; ++i) y[i] = 1;
  cudaEventRecord(begin, stream);
  saxpy<<<8, 128, 0, stream>>>(y, x, n);
  cudaEventRecord(end, stream);
  cudaStreamSynchronize(stream);
  cudaEventElapsedTime(&milliseconds, begin, end);
  cudaMemcpyFromSymbol(&counted, launches, sizeof counted);
  std::printf("%g %d %d %s\n", y[n - 1], counted, threads, cudaGetErrorName(cudaGetLastError()));
  saxpy<<<1, 5000>>>(y, x, n);
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  return 0;
}
