// y = a x + y, with one thread an element and with a grid-stride loop.
#include <cmath>

#include "common/program.h"

__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void saxpy_grid_stride(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    y[i] = a * x[i] + y[i];
  }
}

int main(int argc, char** argv) {
  const int n = program::argument(argc, argv, 1, 30000);
  const float a = 1.75f, b = -0.3f;
  const std::vector<float> x = program::random_floats(n, 1);
  std::vector<float> y = program::random_floats(n, 2);

  program::DeviceArray<float> dx(x), dy(y);
  saxpy<<<program::blocks_for(n, 256), 256>>>(n, a, dx, dy);
  CHECK_LAUNCH();
  saxpy_grid_stride<<<8, 128>>>(n, b, dx, dy);
  CHECK_LAUNCH();
  CUDA_CHECK(cudaDeviceSynchronize());

  for (int i = 0; i < n; ++i) y[i] = std::fma(b, x[i], std::fma(a, x[i], y[i]));
  return program::verdict("saxpy", program::equal_bits("y", dy.to_host(), y));
}
