// Kernels of many kinds that the model of time was not made with: each in three sizes, `test_set [ROUNDS]`.
// Values are made on the device, and only sums come back, so that a recording stays small.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                     \
  do {                                                                                  \
    if (const cudaError_t error = (call); error != cudaSuccess) {                       \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error)), std::exit(1); \
    }                                                                                   \
  } while (0)

constexpr int kFloats = 1 << 20;

__constant__ float levels[16] = {-1.0f, -0.69f, -0.52f, -0.39f, -0.28f, -0.18f, -0.09f, 0.0f,
                                 0.08f, 0.16f,  0.24f,  0.33f,  0.44f,  0.56f,  0.72f,  1.0f};
__constant__ unsigned keys[32] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967};

__device__ int thread() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }
__device__ const unsigned* words(const float* in) { return reinterpret_cast<const unsigned*>(in); }

// Squares of 32 rows and columns by 8 rows of threads, through shared memory.
__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  const int x = blockIdx.x * 32, y = blockIdx.y * 32;
  for (int row = threadIdx.y; row < 32; row += 8)
    tile[row][threadIdx.x] = in[(y + row) * n + x + threadIdx.x];
  __syncthreads();
  for (int row = threadIdx.y; row < 32; row += 8)
    out[(x + row) * n + y + threadIdx.x] = tile[threadIdx.x][row];
}
// Four values a thread, sums of warps by shuffles, sums of the block by its first warp.
__global__ void scan(const float* in, float* out, int) {
  __shared__ float sums[8];
  float4 v = reinterpret_cast<const float4*>(in)[thread()];
  v.y += v.x, v.z += v.y, v.w += v.z;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float sum = v.w;
  for (unsigned step = 1; step < 32; step *= 2) {
    const float other = __shfl_up_sync(~0u, sum, step);
    if (lane >= step) sum += other;
  }
  if (lane == 31) sums[warp] = sum;
  __syncthreads();
  if (warp == 0 && lane < 8) {
    float all = sums[lane];
    for (unsigned step = 1; step < 8; step *= 2) {
      const float other = __shfl_up_sync(0xffu, all, step);
      if (lane >= step) all += other;
    }
    sums[lane] = all;
  }
  __syncthreads();
  const float before = sum - v.w + (warp != 0 ? sums[warp - 1] : 0);
  reinterpret_cast<float4*>(out)[thread()] = {before + v.x, before + v.y, before + v.z, before + v.w};
}
// A row of a sparse matrix for each thread: 4 to 19 entries, columns from anywhere.
__global__ void sparse_product(const float* in, float* out, int) {
  const unsigned row = thread(), count = 4 + (row * 2654435761u >> 28), begin = row * 12;
  float sum = 0;
  for (unsigned k = begin; k < begin + count; ++k)
    sum += in[k % kFloats] * in[(words(in)[k % kFloats] >> 3) % kFloats];
  out[row] = sum;
}
__global__ void bitonic(const float* in, float* out, int) {
  __shared__ unsigned all[512];
  const unsigned base = blockIdx.x * 512;
  for (unsigned i = threadIdx.x; i < 512; i += 256) all[i] = words(in)[base + i] * 2654435761u;
  for (unsigned size = 2; size <= 512; size *= 2)
    for (unsigned step = size / 2; step > 0; step /= 2) {
      __syncthreads();
      const unsigned low = 2 * threadIdx.x - (threadIdx.x & (step - 1)), high = low + step;
      const unsigned a = all[low], b = all[high];
      if ((a > b) == ((low & size) == 0)) all[low] = b, all[high] = a;
    }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 512; i += 256) out[base + i] = static_cast<float>(all[i]);
}
__global__ void bodies(const float* in, float* out, int n) {
  __shared__ float4 tile[128];
  const float4* all = reinterpret_cast<const float4*>(in);
  const float4 me = all[thread()];
  float ax = 0, ay = 0, az = 0;
  for (int first = 0; first < n; first += 128) {
    tile[threadIdx.x] = all[first + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 128; ++k) {
      const float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f),
                  pull = tile[k].w * inverse * inverse * inverse;
      ax += dx * pull, ay += dy * pull, az += dz * pull;
    }
    __syncthreads();
  }
  out[thread()] = ax + ay + az;
}
// Steps of a stencil of three points, inside a block.
__global__ void diffuse(const float* in, float* out, int n) {
  __shared__ float line[2][258];
  const int i = threadIdx.x + 1;
  line[0][i] = in[thread()];
  if (threadIdx.x < 2) line[0][threadIdx.x * 257] = line[1][threadIdx.x * 257] = 0;
  __syncthreads();
  for (int step = 0; step < n; ++step) {
    const float* from = line[step & 1];
    line[(step + 1) & 1][i] = 0.25f * from[i - 1] + 0.5f * from[i] + 0.25f * from[i + 1];
    __syncthreads();
  }
  out[thread()] = line[n & 1][i];
}
// A row of 256 for each warp.
__global__ void softmax(const float* in, float* out, int) {
  const int row = thread() / 32, lane = threadIdx.x % 32;
  float v[8], most = -1e30f, sum = 0;
  for (int k = 0; k < 8; ++k) v[k] = in[row * 256 + k * 32 + lane], most = fmaxf(most, v[k]);
  for (int step = 16; step > 0; step /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, step));
  for (int k = 0; k < 8; ++k) v[k] = __expf(v[k] - most), sum += v[k];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  for (int k = 0; k < 8; ++k) out[row * 256 + k * 32 + lane] = v[k] / sum;
}
// Eight numbers of four bits a word, by a table in constant memory that lanes read in different places.
__global__ void dequantise(const float* in, float* out, int) {
  const unsigned word = words(in)[thread()] * 2654435761u;
  const float scale = in[blockIdx.x];
  float v[8];
  for (int k = 0; k < 8; ++k) v[k] = scale * levels[word >> 4 * k & 15];
  float4* to = reinterpret_cast<float4*>(out) + 2 * thread();
  to[0] = {v[0], v[1], v[2], v[3]}, to[1] = {v[4], v[5], v[6], v[7]};
}
__global__ void digest(const float* in, float* out, int) {
  unsigned h[8];
  for (int i = 0; i < 8; ++i) h[i] = words(in)[thread()] + i * 0x9e3779b9u;
  for (int round = 0; round < 64; ++round) {
    const unsigned e = h[4], a = h[0];
    const unsigned one = __funnelshift_r(e, e, 6) ^ __funnelshift_r(e, e, 11) ^ __funnelshift_r(e, e, 25);
    const unsigned two = __funnelshift_r(a, a, 2) ^ __funnelshift_r(a, a, 13) ^ __funnelshift_r(a, a, 22);
    const unsigned t = h[7] + one + ((e & h[5]) ^ (~e & h[6])) + keys[round & 31] + round;
    const unsigned u = two + ((a & h[1]) ^ (a & h[2]) ^ (h[1] & h[2]));
    h[7] = h[6], h[6] = h[5], h[5] = e, h[4] = h[3] + t, h[3] = h[2], h[2] = h[1], h[1] = a, h[0] = t + u;
  }
  out[thread()] = static_cast<float>(h[0] ^ h[4]);
}
__global__ void horner(const float* in, float* out, int n) {
  const double x = in[thread()];
  double sum = 1, other = 2;
  for (int k = 1; k < n; ++k) sum = sum * x + 1.0 / 1024, other = other * x - sum;
  out[thread()] = static_cast<float>(sum + other);
}
__global__ void histogram(const float* in, float* out, int) {
  __shared__ unsigned bins[64];
  if (threadIdx.x < 64) bins[threadIdx.x] = 0;
  __syncthreads();
  for (int k = 0; k < 8; ++k) atomicAdd(&bins[words(in)[(thread() * 8 + k) % kFloats] >> 12 & 63], 1u);
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(reinterpret_cast<unsigned*>(out) + threadIdx.x, bins[threadIdx.x]);
}
// Places of a hash table, by divisions whose divisor only the launch knows.
__global__ void places(const float* in, float* out, int n) {
  unsigned v = words(in)[thread()], sum = 0;
  for (int k = 0; k < 8; ++k) {
    sum += v % static_cast<unsigned>(n) ^ v / static_cast<unsigned>(n + k);
    v = v * 1664525u + 1013904223u;
  }
  out[thread()] = static_cast<float>(sum);
}
__global__ void halves(const float* in, float* out, int n) {
  const __half2* from = reinterpret_cast<const __half2*>(in);
  __half2 sum = __float2half2_rn(0), by = __float2half2_rn(0.5f);
  for (int k = 0; k < n; ++k) sum = __hfma2(from[(thread() + k * 4096) % kFloats], by, __hmax2(sum, by));
  out[thread()] = __low2float(sum) + __high2float(sum);
}
// Between texels of a picture, turned by an angle.
__global__ void turn(cudaTextureObject_t picture, float* out, int n) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  const float u = 0.8f * x - 0.6f * y + 100, v = 0.6f * x + 0.8f * y;
  out[y * n + x] = tex2D<float>(picture, u, v) + tex2D<float>(picture, u + 0.5f, v);
}
// A small product of matrices, kept in registers: four by four of each thread.
__global__ void product(const float* in, float* out, int n) {
  __shared__ float a[16][64], b[16][64];
  const int x = blockIdx.x * 64, y = blockIdx.y * 64, me = threadIdx.y * 16 + threadIdx.x;
  float sum[4][4] = {};
  for (int k = 0; k < n; k += 16) {
    for (int i = me; i < 1024; i += 256)
      a[i / 64][i % 64] = in[(k + i / 64) * n + y + i % 64],
                    b[i / 64][i % 64] = in[(k + i / 64) * n + x + i % 64];
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c) sum[r][c] += a[j][threadIdx.y * 4 + r] * b[j][threadIdx.x * 4 + c];
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 4; ++c) out[(y + threadIdx.y * 4 + r) * n + x + threadIdx.x * 4 + c] = sum[r][c];
}

__global__ void fill(float* in) {
  const int i = thread();
  in[i] = static_cast<float>((i * 2246822519u >> 8) % 9973) / 4986.5f;
}
__global__ void sum_up(const float* out, unsigned* sum) {
  unsigned all = 0;
  for (int i = thread(); i < kFloats; i += gridDim.x * blockDim.x) all ^= words(out)[i] * (2 * i + 1);
  all = __reduce_xor_sync(~0u, all);
  if (threadIdx.x % 32 == 0) atomicXor(sum, all);
}

float *in, *out;
unsigned* sum;
int rounds = 1;

template <class From>
void launch(void (*kernel)(From, float*, int), From from, dim3 grid, dim3 block, int n) {
  for (int round = 0; round < rounds; ++round) {
    CHECK(cudaMemset(out, 0, kFloats * sizeof(float)));
    kernel<<<grid, block>>>(from, out, n);
    CHECK(cudaDeviceSynchronize());
  }
  unsigned found = 0;
  CHECK(cudaMemset(sum, 0, sizeof(unsigned)));
  sum_up<<<64, 256>>>(out, sum);
  CHECK(cudaMemcpy(&found, sum, sizeof found, cudaMemcpyDeviceToHost));
  std::printf("%08x\n", found);
}

cudaTextureObject_t picture() {
  cudaResourceDesc what{};
  what.resType = cudaResourceTypePitch2D;
  what.res.pitch2D = {in, cudaCreateChannelDesc<float>(), 1024, 1024, 1024 * sizeof(float)};
  cudaTextureDesc how{};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  how.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t made = 0;
  CHECK(cudaCreateTextureObject(&made, &what, &how, nullptr));
  return made;
}

int main(int argc, char** argv) {
  if (argc > 1) rounds = std::atoi(argv[1]);
  CHECK(cudaMalloc(&in, kFloats * sizeof(float)));
  CHECK(cudaMalloc(&out, kFloats * sizeof(float)));
  CHECK(cudaMalloc(&sum, sizeof(unsigned)));
  fill<<<kFloats / 256, 256>>>(in);
  const cudaTextureObject_t texture = picture();
  const float* const from = in;
  for (const unsigned s : {1u, 4u, 12u}) {  // of a side: 1, 16 and 144 times as much
    const unsigned many = s * s;
    const int side = static_cast<int>(s);
    launch(transpose, from, {2 * s, 2 * s}, {32, 8}, 64 * side);
    launch(scan, from, {5 * many}, {256}, 0);
    launch(sparse_product, from, {4 * many}, {128}, 0);
    launch(bitonic, from, {4 * many}, {256}, 0);
    launch(bodies, from, {2 * many}, {128}, 512);
    launch(diffuse, from, {4 * many}, {256}, 40);
    launch(softmax, from, {4 * many}, {128}, 0);
    launch(dequantise, from, {3 * many}, {256}, 0);
    launch(digest, from, {2 * many}, {192}, 0);
    launch(horner, from, {3 * many}, {96}, 64);
    launch(histogram, from, {2 * many}, {256}, 0);
    launch(places, from, {3 * many}, {128}, 99991);
    launch(halves, from, {3 * many}, {128}, 32);
    launch(turn, texture, {2 * s, 4 * s}, {32, 8}, 64 * side);
    launch(product, from, {s, s}, {16, 16}, 64 * side);
  }
  std::printf("PASS\n");
}
