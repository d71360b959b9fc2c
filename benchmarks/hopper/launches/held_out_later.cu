// Kernels that the model of time was not made with, written after those of `held_out.cu` had been seen: each
// in three sizes, once. `held_out_later [ROUNDS]`.
#include <cuda_runtime.h>
#include <mma.h>

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

__device__ int thread() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }
__device__ const unsigned* words(const float* in) { return reinterpret_cast<const unsigned*>(in); }

__global__ void product_tiled(const float* in, float* out, int n) {
  __shared__ float a[16][16], b[16][16];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    a[threadIdx.y][threadIdx.x] = in[y * n + k + threadIdx.x];
    b[threadIdx.y][threadIdx.x] = in[(k + threadIdx.y) * n + x];
    __syncthreads();
    for (int j = 0; j < 16; ++j) sum += a[threadIdx.y][j] * b[j][threadIdx.x];
    __syncthreads();
  }
  out[y * n + x] = sum;
}
__global__ void product_tensor(const float* in, float* out, int n) {
  namespace w = nvcuda::wmma;
  const __half* halves = reinterpret_cast<const __half*>(in);
  w::fragment<w::matrix_a, 16, 16, 16, __half, w::row_major> a;
  w::fragment<w::matrix_b, 16, 16, 16, __half, w::row_major> b;
  w::fragment<w::accumulator, 16, 16, 16, float> sum;
  w::fill_fragment(sum, 0.0f);
  const int x = blockIdx.x * 16, y = (blockIdx.y * blockDim.y + threadIdx.y) * 16;
  for (int k = 0; k < n; k += 16) {
    w::load_matrix_sync(a, halves + y * n + k, n);
    w::load_matrix_sync(b, halves + k * n + x, n);
    w::mma_sync(sum, a, b, sum);
  }
  w::store_matrix_sync(out + y * n + x, sum, n, w::mem_row_major);
}
__global__ void softmax_rows(const float* in, float* out, int n) {
  __shared__ float part[4];
  const float* row = in + blockIdx.x * n;
  float most = -1e30f, sum = 0;
  for (int c = threadIdx.x; c < n; c += 128) most = fmaxf(most, row[c]);
  for (int lane = 16; lane > 0; lane /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, lane));
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = most;
  __syncthreads();
  most = fmaxf(fmaxf(part[0], part[1]), fmaxf(part[2], part[3]));
  __syncthreads();
  for (int c = threadIdx.x; c < n; c += 128) sum += __expf(row[c] - most);
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(~0u, sum, lane);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = part[0] + part[1] + part[2] + part[3];
  for (int c = threadIdx.x; c < n; c += 128) out[blockIdx.x * n + c] = __expf(row[c] - most) / sum;
}
__global__ void scan_block(const float* in, float* out, int) {
  __shared__ float sums[2][256];
  int from = 0;
  sums[0][threadIdx.x] = in[thread()];
  for (unsigned step = 1; step < 256; step *= 2) {
    __syncthreads();
    const float mine = sums[from][threadIdx.x];
    sums[1 - from][threadIdx.x] = threadIdx.x >= step ? mine + sums[from][threadIdx.x - step] : mine;
    from = 1 - from;
  }
  out[thread()] = sums[from][threadIdx.x];
}
__global__ void scan_warp(const float* in, float* out, int) {
  float sum = in[thread()];
  const unsigned lane = threadIdx.x % 32;
  for (unsigned step = 1; step < 32; step *= 2) {
    const float other = __shfl_up_sync(~0u, sum, step);
    if (lane >= step) sum += other;
  }
  out[thread()] = sum;
}
__global__ void convolve(const float* in, float* out, int n) {
  __shared__ float tile[10][34];
  const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 8;
  for (int i = threadIdx.y * 32 + threadIdx.x; i < 340; i += 256)
    tile[i / 34][i % 34] = in[(y0 + i / 34) * n + x0 + i % 34];
  __syncthreads();
  float sum = 0;
  for (int dy = 0; dy < 3; ++dy)
    for (int dx = 0; dx < 3; ++dx) sum += tile[threadIdx.y + dy][threadIdx.x + dx] * (1.0f + dx - dy);
  out[(y0 + threadIdx.y) * n + x0 + threadIdx.x] = sum;
}
__global__ void options(const float* in, float* out, int) {
  const float s = 20 + 10 * in[thread()], k = 25 + in[thread() + 7], t = 0.5f + in[thread() + 3];
  const float root = sqrtf(t), d1 = (logf(s / k) + 0.1f * t) / (0.3f * root), d2 = d1 - 0.3f * root;
  out[thread()] = s * normcdff(d1) - k * expf(-0.02f * t) * normcdff(d2);
}
__global__ void divisors(const float* in, float* out, int) {
  unsigned a = words(in)[thread()] | 1, b = words(in)[thread() + 5] % 100000 + 1;
  while (b != 0) {
    const unsigned rest = a % b;
    a = b, b = rest;
  }
  out[thread()] = static_cast<float>(a);
}
__global__ void powers(const float* in, float* out, int) {
  std::uint64_t base = words(in)[thread()] % 1000003, result = 1;
  for (unsigned e = 1000001; e != 0; e >>= 1) {
    if (e & 1) result = result * base % 1000003;
    base = base * base % 1000003;
  }
  out[thread()] = static_cast<float>(result);
}
__global__ void collatz(const float* in, float* out, int) {
  unsigned v = words(in)[thread()] % 5000 + 1, steps = 0;
  while (v != 1) v = v & 1 ? 3 * v + 1 : v / 2, ++steps;
  out[thread()] = static_cast<float>(steps);
}
__global__ void life(const float* in, float* out, int n) {
  const std::uint8_t* cells = reinterpret_cast<const std::uint8_t*>(in);
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  int count = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx != 0 || dy != 0) count += cells[(y + dy + n) % n * n + (x + dx + n) % n] & 1;
  reinterpret_cast<std::uint8_t*>(out)[y * n + x] = count == 3 || (count == 2 && (cells[y * n + x] & 1));
}
__global__ void nearest(const float* in, float* out, int) {
  const float x = in[2 * thread()], y = in[2 * thread() + 1];
  float least = 1e30f;
  int best = 0;
  for (int c = 0; c < 48; ++c) {
    const float dx = x - in[4096 + 2 * c], dy = y - in[4097 + 2 * c], d = dx * dx + dy * dy;
    if (d < least) least = d, best = c;
  }
  out[thread()] = static_cast<float>(best);
}
__global__ void dot_strided(const float* in, float* out, int n) {
  __shared__ float part[8];
  const float4* all = reinterpret_cast<const float4*>(in);
  float sum = 0;
  for (int i = thread(); i < n; i += gridDim.x * blockDim.x) {
    const float4 a = all[i], b = all[n - 1 - i];
    sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  }
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_down_sync(~0u, sum, lane);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < 8; ++w) sum += part[w];
    out[blockIdx.x] = sum;
  }
}
__global__ void walk(const float* in, float* out, int n) {
  unsigned at = thread() * 2654435761u;
  float sum = 0;
  for (int k = 0; k < 16; ++k) {
    at = words(in)[at % static_cast<unsigned>(n)] + k * 97;
    sum += static_cast<float>(at & 255);
  }
  out[thread()] = sum;
}
__global__ void polynomial(const float* in, float* out, int) {
  const double x = in[thread()] * 0.25;
  double sum = 1;
  for (int k = 0; k < 40; ++k) sum = fma(sum, x, 0.5 + k);
  out[thread()] = static_cast<float>(sum);
}
__global__ void bits(const float* in, float* out, int) {
  unsigned v = words(in)[thread()], sum = 0;
  for (int k = 0; k < 24; ++k) {
    v ^= v << 13, v ^= v >> 17, v ^= v << 5;
    sum += __popc(v) + __clz(v) + (__brev(v) & 7) + __byte_perm(v, sum, 0x3012) % 5;
  }
  out[thread()] = static_cast<float>(sum);
}
__global__ void shortest(const float* in, float* out, int n) {
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float least = in[y * n + x];
  for (int k = 0; k < 32; ++k) least = fminf(least, in[y * n + k] + in[k * n + x]);
  out[y * n + x] = least;
}
__global__ void columns(const float* in, float* out, int n) {
  float sum = 0;
  for (int row = 0; row < 64; ++row) sum += in[row * n + thread()];
  out[thread()] = sum;
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
  for (int i = 0; i < kFloats; ++i) values[i] = static_cast<float>((i * 2246822519u >> 8) % 9973) / 4986.5f;
  CHECK(cudaMalloc(&in, kFloats * sizeof(float)));
  CHECK(cudaMalloc(&out, kFloats * sizeof(float)));
  CHECK(cudaMemcpy(in, values.data(), kFloats * sizeof(float), cudaMemcpyHostToDevice));
  for (const int size : {1, 4, 12}) {  // of a side: 1, 16 and 144 times as much
    const unsigned s = size, many = s * s;
    launch(product_tiled, {2 * s, 2 * s}, {16, 16}, 32 * size);
    launch(product_tensor, {4 * s, s}, {32, 4}, 64 * size);
    launch(softmax_rows, {2 * many}, {128}, 512);
    launch(scan_block, {2 * many}, {256}, 0);
    launch(scan_warp, {3 * many}, {192}, 0);
    launch(convolve, {s, 4 * s}, {32, 8}, 32 * size + 2);
    launch(options, {3 * many}, {128}, 0);
    launch(divisors, {2 * many}, {128}, 0);
    launch(powers, {many}, {96}, 0);
    launch(collatz, {2 * many}, {128}, 0);
    launch(life, {2 * s, 16 * s}, {32, 4}, 64 * size);
    launch(nearest, {2 * many}, {256}, 0);
    launch(dot_strided, {2 * many}, {256}, kFloats / 4);
    launch(walk, {3 * many}, {128}, kFloats);
    launch(polynomial, {4 * many}, {64}, 0);
    launch(bits, {3 * many}, {160}, 0);
    launch(shortest, {2 * s, 2 * s}, {16, 16}, 32 * size);
    launch(columns, {s}, {128}, kFloats / 64);
  }
  std::printf("PASS\n");
}
