// Device code of two translation units: nvcc -rdc=true leaves their PTX beside what it linked.
#include <cstdio>

extern __device__ int twice(int x);
extern __constant__ int seven;
__device__ int more = 3;

__global__ void run(int* out) { out[threadIdx.x] = twice(threadIdx.x) + seven + more; }

int main() {
  int *device, host[4], hundred = 100;
  cudaMalloc(&device, sizeof host);
  cudaMemcpyToSymbol(more, &hundred, sizeof hundred);
  run<<<1, 4>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d %s\n", host[0], host[3], cudaGetErrorName(cudaGetLastError()));
  return 0;
}
