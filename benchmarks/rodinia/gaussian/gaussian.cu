// Gaussian elimination without pivoting, two launches a column; the host substitutes back.
#include "common/program.h"

__global__ void fan1(float* m, const float* a, int size, int t) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= size - 1 - t) return;
  m[size * (i + t + 1) + t] = a[size * (i + t + 1) + t] / a[size * t + t];
}

__global__ void fan2(const float* m, float* a, float* b, int size, int t) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size - 1 - t || y >= size - t) return;
  a[size * (x + 1 + t) + (y + t)] -= m[size * (x + 1 + t) + t] * a[size * t + (y + t)];
  if (y == 0) b[x + 1 + t] -= m[size * (x + 1 + t) + (y + t)] * b[t];
}

// Entries fall off exponentially from the diagonal, which keeps elimination without pivots stable.
static std::vector<float> falling_matrix(int size) {
  program::Random random(5);
  std::vector<float> a(static_cast<std::size_t>(size) * size);
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j)
      a[static_cast<std::size_t>(i) * size + j] =
          (i == j ? 12.0f : 10.0f * std::exp2(-0.5f * static_cast<float>(std::abs(i - j))) * random.unit());
  return a;
}

int main(int argc, char** argv) {
  const int size = program::size(argc, argv, 96, 1024);
  const auto a_host = falling_matrix(size);
  const auto b_host = program::random_between(0.5f, 1.5f, size, 6);
  program::DeviceArray<float> a(a_host), b(b_host), m(std::vector<float>(a_host.size()));
  const dim3 block(4, 4), grid(program::blocks_for(size, 4), program::blocks_for(size, 4));
  for (int t = 0; t < size - 1; ++t) {
    fan1<<<program::blocks_for(size, 512), 512>>>(m, a, size, t);
    CHECK_LAUNCH();
    fan2<<<grid, block>>>(m, a, b, size, t);
    CHECK_LAUNCH();
  }

  const auto upper = a.to_host(), right = b.to_host();
  std::vector<double> x(size);
  for (int i = size - 1; i >= 0; --i) {
    x[i] = right[i];
    for (int j = i + 1; j < size; ++j) x[i] -= upper[static_cast<std::size_t>(i) * size + j] * x[j];
    x[i] /= upper[static_cast<std::size_t>(i) * size + i];
  }
  std::vector<double> product(size);
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) product[i] += a_host[static_cast<std::size_t>(i) * size + j] * x[j];
  return program::verdict("gaussian", program::close("A * x", product, b_host, 1e-3));
}
