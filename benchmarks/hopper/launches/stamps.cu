// When warps reach places of their kernels, by the clock of their SM: `stamps` prints kernel, CTA, SM, warp
// and clocks; `stamps quiet` leaves them on the device.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call)                                                                     \
  do {                                                                                  \
    if (const cudaError_t error = (call); error != cudaSuccess) {                       \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error)), std::exit(1); \
    }                                                                                   \
  } while (0)

constexpr int kStamps = 6;  // of a warp: SM, then clocks
__device__ unsigned sm_of() {
  unsigned sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  return sm;
}
__device__ long long now() {
  long long clock;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(clock)::"memory");
  return clock;
}
__device__ long long* mine(long long* stamps) {
  const unsigned threads = blockDim.x * blockDim.y, thread = threadIdx.y * blockDim.x + threadIdx.x;
  return stamps + ((blockIdx.y * gridDim.x + blockIdx.x) * (threads / 32) + thread / 32) * kStamps;
}
__device__ void stamp(long long* to, int which, long long clock) {
  if ((threadIdx.y * blockDim.x + threadIdx.x) % 32 == 0) to[which] = clock;
}

__global__ void add(const float* a, float* b, long long* stamps) {
  const long long begin = now();
  long long* const to = mine(stamps);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float sum = a[i] * 2 + b[i];
  b[i] = sum;
  const long long end = sum == 1e30f ? 0 : now();
  stamp(to, 0, sm_of()), stamp(to, 1, begin), stamp(to, 2, end);
}
__global__ void multiply(const float* a, float* b, long long* stamps) {
  __shared__ float left[16][16], right[16][16];
  const long long begin = now();
  const int n = gridDim.x * 16, x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  long long first = 0;
  for (int k = 0; k < n; k += 16) {
    left[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = a[(k + threadIdx.y) * n + x];
    __syncthreads();
    if (k == 0) first = now();
    for (int j = 0; j < 16; ++j) sum += left[threadIdx.y][j] * right[j][threadIdx.x];
    __syncthreads();
  }
  b[y * n + x] = sum;
  const long long end = sum == 1e30f ? 0 : now();
  long long* const to = mine(stamps);
  stamp(to, 0, sm_of()), stamp(to, 1, begin), stamp(to, 2, first), stamp(to, 3, end);
}
__global__ void reduce(const float* a, float* b, long long* stamps) {
  __shared__ float sums[256];
  const long long begin = now();
  const unsigned t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 8; ++k) sum += a[(blockIdx.x * 8 + k) * 256 + t];
  sums[t] = sum;
  const long long loaded = sum == 1e30f ? 0 : now();
  for (unsigned half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) sums[t] += sums[t + half];
  }
  __syncthreads();
  const long long reduced = sums[0] == 1e30f ? 0 : now();
  if (t == 0) b[blockIdx.x] = sums[0];
  long long* const to = mine(stamps);
  stamp(to, 0, sm_of()), stamp(to, 1, begin), stamp(to, 2, loaded), stamp(to, 3, reduced);
}

int main(int argc, char** argv) {
  const bool quiet = argc > 1 && std::strcmp(argv[1], "quiet") == 0;
  constexpr int kFloats = 1 << 20;
  std::vector<float> values(kFloats, 0.5f);
  float *a, *b;
  long long* stamps;
  constexpr std::size_t kBytes = 8 << 20;
  CHECK(cudaMalloc(&a, kFloats * 4));
  CHECK(cudaMalloc(&b, kFloats * 4));
  CHECK(cudaMalloc(&stamps, kBytes));
  const auto run = [&](const char* name, auto kernel, dim3 grid, dim3 block) {
    CHECK(cudaMemcpy(a, values.data(), kFloats * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b, values.data(), kFloats * 4, cudaMemcpyHostToDevice));
    for (int round = 0; round < 3; ++round) {
      kernel<<<grid, block>>>(a, b, stamps);
      CHECK(cudaDeviceSynchronize());
      if (quiet) continue;
      const std::size_t warps = block.x * block.y / 32, all = grid.x * grid.y * warps;
      std::vector<long long> found(all * kStamps);
      CHECK(cudaMemcpy(found.data(), stamps, all * kStamps * 8, cudaMemcpyDeviceToHost));
      for (std::size_t w = 0; w < all; ++w) {
        std::printf("%s\t%d\t%zu\t%zu", name, round, w / warps, w % warps);
        for (int k = 0; k < 4; ++k) std::printf("\t%lld", found[w * kStamps + k]);
        std::printf("\n");
      }
    }
    CHECK(cudaMemcpy(values.data(), b, 4096, cudaMemcpyDeviceToHost));
  };
  run("add", add, 132, 256);
  run("add_twice", add, 528, 256);
  run("multiply", multiply, dim3(6, 6), dim3(16, 16));
  run("multiply_more", multiply, dim3(16, 16), dim3(16, 16));
  run("reduce", reduce, 264, 256);
  if (quiet) std::printf("PASS\n");
}
