// C = A B for square matrices, one thread an element of C, all operands from global memory.
#include <cmath>

#include "common/program.h"

__global__ void gemm_naive(int n, const float* a, const float* b, float* c) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || column >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

int main(int argc, char** argv) {
  const int n = program::argument(argc, argv, 1, 128);
  const std::size_t count = static_cast<std::size_t>(n) * n;
  const std::vector<float> a = program::random_floats(count, 1), b = program::random_floats(count, 2);

  program::DeviceArray<float> da(a), db(b), dc(count);
  const dim3 block(16, 16), grid(program::blocks_for(n, 16), program::blocks_for(n, 16));
  gemm_naive<<<grid, block>>>(n, da, db, dc);
  CHECK_LAUNCH();
  const std::vector<float> got = dc.to_host();

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
  return program::verdict("gemm_naive", program::equal_bits("C", got, expected));
}
