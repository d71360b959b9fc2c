// x1 += A * y1 and x2 += A^T * y2.
#include "polybench/common.h"

using namespace polybench;

template <int N>
__global__ void rows(const float* A, float* x1, const float* y1) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    for (int j = 0; j < N; j++) x1[i] += A[i * N + j] * y1[j];
  }
}

template <int N>
__global__ void columns(const float* A, float* x2, const float* y2) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    for (int j = 0; j < N; j++) x2[i] += A[j * N + i] * y2[j];
  }
}

static std::vector<double> sum(std::vector<double> left, const std::vector<float>& right) {
  for (std::size_t i = 0; i < left.size(); ++i) left[i] += right[i];
  return left;
}

template <int N>
bool run() {
  const auto a = program::random_floats(N * N, 1), y1_host = program::random_floats(N, 2),
             y2_host = program::random_floats(N, 3), x1_host = program::random_floats(N, 4),
             x2_host = program::random_floats(N, 5);
  DeviceArray<float> A(a), x1(x1_host), x2(x2_host), y1(y1_host), y2(y2_host);
  rows<N><<<line_grid(N), line_block()>>>(A, x1, y1);
  CHECK_LAUNCH();
  columns<N><<<line_grid(N), line_block()>>>(A, x2, y2);
  CHECK_LAUNCH();

  const auto wide = widened(a);
  const auto first = sum(times(N, wide, widened(y1_host)), x1_host);
  const auto second = sum(times(N, transposed(N, wide), widened(y2_host)), x2_host);
  const bool x1_agrees = program::close("x1", x1.to_host(), first, 1e-4);
  return program::close("x2", x2.to_host(), second, 1e-4) && x1_agrees;
}

int main(int argc, char** argv) {
  return program::verdict("mvt", program::large(argc, argv) ? run<4096>() : run<256>());
}
