// C = A B through 16 x 16 tiles in shared memory; N need not be a multiple of the tile.
#include <cmath>

#include "common/program.h"

constexpr int kTile = 16;

__global__ void gemm_tiled(int n, const float* __restrict__ a, const float* __restrict__ b,
                           float* __restrict__ c) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile + 1];
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0.0f;
  for (int base = 0; base < n; base += kTile) {
    const int k_a = base + threadIdx.x, k_b = base + threadIdx.y;
    tile_a[threadIdx.y][threadIdx.x] = row < n && k_a < n ? a[row * n + k_a] : 0.0f;
    tile_b[threadIdx.y][threadIdx.x] = k_b < n && column < n ? b[k_b * n + column] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  if (row < n && column < n) c[row * n + column] = sum;
}

int main(int argc, char** argv) {
  const int n = program::argument(argc, argv, 1, 150);
  const std::size_t count = static_cast<std::size_t>(n) * n;
  const std::vector<float> a = program::random_floats(count, 3), b = program::random_floats(count, 4);

  program::DeviceArray<float> da(a), db(b), dc(count);
  const dim3 block(kTile, kTile), grid(program::blocks_for(n, kTile), program::blocks_for(n, kTile));
  gemm_tiled<<<grid, block>>>(n, da, db, dc);
  CHECK_LAUNCH();
  const std::vector<float> got = dc.to_host();

  // The padding of the last tile adds fma(0, 0, sum) = sum: it never changes the bits of a sum that is not
  // -0.
  std::vector<float> expected(count);
  for (int row = 0; row < n; ++row) {
    for (int k = 0; k < n; ++k) {
      for (int column = 0; column < n; ++column) {
        float& sum = expected[static_cast<std::size_t>(row) * n + column];
        sum = std::fma(a[static_cast<std::size_t>(row) * n + k], b[static_cast<std::size_t>(k) * n + column],
                       sum);
      }
    }
  }
  return program::verdict("gemm_tiled", program::equal_bits("C", got, expected));
}
