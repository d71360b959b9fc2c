// Kernels whose time goes to memory of all kinds: shared memory and barriers, tables, long rows, atomics.
#include <cstdint>

// Each block of 256 threads sums its part up, in steps of doubling distance.
extern "C" __global__ void block_scan(int n, const int* in, int* out) {
  __shared__ int sums[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  sums[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int distance = 1; distance < 256; distance *= 2) {
    const int before = t >= distance ? sums[t - distance] : 0;
    __syncthreads();
    sums[t] += before;
    __syncthreads();
  }
  if (i < n) out[i] = sums[t];
}

// A byte is a number of a table, each 64 of them have a scale.
extern "C" __global__ void dequantise(int n, const std::uint8_t* bytes, const float* table, const float* scales, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[bytes[i]] * scales[i / 64];
}

// A block takes a row.
extern "C" __global__ void softmax(int columns, const float* in, float* out) {
  __shared__ float parts[32];
  const float* const x = in + (size_t)blockIdx.x * columns;
  float* const y = out + (size_t)blockIdx.x * columns;
  const int t = threadIdx.x, warps = blockDim.x / 32;
  float most = -1e30f;
  for (int i = t; i < columns; i += blockDim.x) most = fmaxf(most, x[i]);
  for (int d = 16; d != 0; d /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
  if (t % 32 == 0) parts[t / 32] = most;
  __syncthreads();
  for (int w = 0; w < warps; ++w) most = fmaxf(most, parts[w]);
  __syncthreads();
  float sum = 0;
  for (int i = t; i < columns; i += blockDim.x) sum += expf(x[i] - most);
  for (int d = 16; d != 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  if (t % 32 == 0) parts[t / 32] = sum;
  __syncthreads();
  sum = 0;
  for (int w = 0; w < warps; ++w) sum += parts[w];
  for (int i = t; i < columns; i += blockDim.x) y[i] = expf(x[i] - most) / sum;
}

// What atomicAdd does, by hand.
extern "C" __global__ void cas_loop(int n, int bins, const int* in, int* sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int* const sum = sums + i % bins;
  int now = *sum, before;
  do {
    before = now;
    now = atomicCAS(sum, before, before + in[i]);
  } while (now != before);
}

extern "C" __global__ void histogram(int n, const unsigned* in, unsigned* counts) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&counts[in[i] % 256], 1u);
}

extern "C" __global__ void gather(int n, const int* index, const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[index[i]];
}

// A sparse matrix times a vector, a thread takes a row.
extern "C" __global__ void sparse(int rows, const int* begins, const int* columns, const int* values, const int* x, int* y) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int sum = 0;
  for (int i = begins[row]; i < begins[row + 1]; ++i) sum += values[i] * x[columns[i]];
  y[row] = sum;
}
