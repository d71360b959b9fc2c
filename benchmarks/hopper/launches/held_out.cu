// Kernels that the model of time was not made with: each in three sizes, once. `held_out [ROUNDS]`.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                     \
  do {                                                                                  \
    if (const cudaError_t error = (call); error != cudaSuccess) {                       \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error)), std::exit(1); \
    }                                                                                   \
  } while (0)

__global__ void transpose_naive(const float* in, float* out, int n) {
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  out[x * n + y] = in[y * n + x];
}
__global__ void transpose_tiled(const float* in, float* out, int n) {
  __shared__ float tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x, y = blockIdx.x * 16 + threadIdx.y;
  out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void mandelbrot(const float*, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float cx = -2 + 3.0f * static_cast<float>(i % n) / n, cy = -1 + 2.0f * static_cast<float>(i / n) / n;
  float x = 0, y = 0;
  int count = 0;
  for (; count < 100 && x * x + y * y < 4; ++count) {
    const float next = x * x - y * y + cx;
    y = 2 * x * y + cy, x = next;
  }
  out[i] = static_cast<float>(count);
}
__global__ void bodies(const float* in, float* out, int n) {
  __shared__ float4 tile[128];
  const int i = blockIdx.x * 128 + threadIdx.x;
  const float4* all = reinterpret_cast<const float4*>(in);
  const float4 me = all[i];
  float ax = 0, ay = 0, az = 0;
  for (int first = 0; first < n; first += 128) {
    tile[threadIdx.x] = all[first + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 128; ++j) {
      const float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
      const float one = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), f = tile[j].w * one * one * one;
      ax += dx * f, ay += dy * f, az += dz * f;
    }
    __syncthreads();
  }
  out[i] = ax + ay + az;
}
__global__ void sparse_rows(const float* in, float* out, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned* bits = reinterpret_cast<const unsigned*>(in);
  float sum = 0;
  unsigned at = row * 2654435761u;
  for (unsigned k = 0, count = 4 + row % 13; k < count; ++k) {
    at = at * 1664525u + 1013904223u;
    sum += in[at % static_cast<unsigned>(n)] *
           static_cast<float>(bits[(at >> 7) % static_cast<unsigned>(n)] & 15);
  }
  out[row] = sum;
}
__global__ void bitonic(const float* in, float* out, int) {
  __shared__ float keys[512];
  const unsigned t = threadIdx.x;
  keys[t] = in[blockIdx.x * 512 + t];
  for (unsigned k = 2; k <= 512; k *= 2)
    for (unsigned j = k / 2; j > 0; j /= 2) {
      __syncthreads();
      const unsigned other = t ^ j;
      if (other > t && (keys[t] > keys[other]) == ((t & k) == 0)) {
        const float swap = keys[t];
        keys[t] = keys[other], keys[other] = swap;
      }
    }
  __syncthreads();
  out[blockIdx.x * 512 + t] = keys[t];
}
__global__ void bins_global(const float* in, float* out, int) {
  const unsigned v = reinterpret_cast<const unsigned*>(in)[blockIdx.x * blockDim.x + threadIdx.x];
  atomicAdd(reinterpret_cast<unsigned*>(out) + (v >> 3 & 255), 1u);
}
__global__ void bins_shared(const float* in, float* out, int) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int k = 0; k < 4; ++k)
    atomicAdd(
        &bins[reinterpret_cast<const unsigned*>(in)[(blockIdx.x * 4 + k) * 256 + threadIdx.x] >> 3 & 255],
        1u);
  __syncthreads();
  atomicAdd(reinterpret_cast<unsigned*>(out) + threadIdx.x, bins[threadIdx.x]);
}
__global__ void sum_all(const float* in, float* out, int) {
  float sum = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(~0u, sum, lane);
  if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}
__global__ void matrix_vector(const float* in, float* out, int n) {
  const int row = blockIdx.x * blockDim.x / 32 + threadIdx.x / 32, lane = threadIdx.x % 32;
  float sum = 0;
  for (int c = lane; c < 512; c += 32) sum += in[(row * 512 + c) % n] * in[c];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  if (lane == 0) out[row] = sum;
}
__global__ void hashes(const float* in, float* out, int) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  std::uint64_t h = reinterpret_cast<const std::uint32_t*>(in)[i];
  for (int k = 0; k < 40; ++k) h ^= h >> 33, h *= 0xff51afd7ed558ccdULL, h ^= h >> 29, h += k;
  reinterpret_cast<std::uint32_t*>(out)[i] = static_cast<std::uint32_t>(h ^ h >> 32);
}
__global__ void doubles(const float* in, float* out, int) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double x = in[i], sum = 1;
  for (int k = 1; k < 24; ++k) sum = sum * x / (k + 1.0) + 1;
  out[i] = static_cast<float>(sum);
}
__global__ void halves(const float* in, float* out, int) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __half2 x = reinterpret_cast<const __half2*>(in)[i], sum = __float2half2_rn(0.5f);
  for (int k = 0; k < 32; ++k) sum = __hfma2(sum, x, __hmul2(x, x));
  reinterpret_cast<__half2*>(out)[i] = sum;
}
__global__ void relax(const float* in, float* out, int n) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  const int left = (x + n - 1) % n, right = (x + 1) % n, up = (y + n - 1) % n, down = (y + 1) % n;
  out[y * n + x] = 0.25f * (in[y * n + left] + in[y * n + right] + in[up * n + x] + in[down * n + x]);
}

constexpr int kFloats = 1 << 20;
using Kernel = void (*)(const float*, float*, int);

float *in, *out;
int rounds = 1;
std::vector<float> result(kFloats);

void launch(Kernel kernel, dim3 grid, dim3 block, int n) {
  for (int round = 0; round < rounds; ++round) {
    CHECK(cudaMemset(out, 0, kFloats * sizeof(float)));
    kernel<<<grid, block>>>(in, out, n);
    CHECK(cudaDeviceSynchronize());
  }
  CHECK(cudaMemcpy(result.data(), out, 4096 * sizeof(float), cudaMemcpyDeviceToHost));
}

int main(int argc, char** argv) {
  if (argc > 1) rounds = std::atoi(argv[1]);
  std::vector<float> values(kFloats);
  for (int i = 0; i < kFloats; ++i) values[i] = static_cast<float>((i * 2654435761u >> 8) % 10007) / 5003.5f;
  CHECK(cudaMalloc(&in, kFloats * sizeof(float)));
  CHECK(cudaMalloc(&out, kFloats * sizeof(float)));
  CHECK(cudaMemcpy(in, values.data(), kFloats * sizeof(float), cudaMemcpyHostToDevice));
  for (const int size : {1, 4, 12}) {  // of a side: 1, 16 and 144 times as much
    const unsigned s = size, many = s * s;
    launch(transpose_naive, {4 * s, 4 * s}, {16, 16}, 64 * size);
    launch(transpose_tiled, {4 * s, 4 * s}, {16, 16}, 64 * size);
    launch(mandelbrot, {2 * many}, {128}, 16 * size);
    launch(bodies, {s * 3}, {128}, 128 * size * 3);
    launch(sparse_rows, {3 * many}, {192}, kFloats);
    launch(bitonic, {many}, {512}, 0);
    launch(bins_global, {4 * many}, {256}, 0);
    launch(bins_shared, {2 * many}, {256}, 0);
    launch(sum_all, {5 * many}, {256}, 0);
    launch(matrix_vector, {4 * many}, {128}, kFloats);
    launch(hashes, {3 * many}, {160}, 0);
    launch(doubles, {2 * many}, {64}, 0);
    launch(halves, {3 * many}, {224}, 0);
    launch(relax, {s, 4 * s}, {32, 8}, 32 * size);
  }
  std::printf("PASS\n");
}
