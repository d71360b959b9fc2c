// y = alpha * A * x + beta * B * x.
#include "polybench/common.h"

using namespace polybench;

constexpr float kAlpha = 43.532f, kBeta = 12.313f;

template <int N>
__global__ void gesummv(const float* A, const float* B, const float* x, float* y, float* tmp) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    for (int j = 0; j < N; j++) {
      tmp[i] += A[i * N + j] * x[j];
      y[i] += B[i * N + j] * x[j];
    }
    y[i] = kAlpha * tmp[i] + kBeta * y[i];
  }
}

template <int N>
bool run() {
  const auto a = program::random_floats(N * N, 1), b = program::random_floats(N * N, 2),
             x_host = program::random_floats(N, 3);
  DeviceArray<float> A(a), B(b), x(x_host), y(zeros<float>(N)), tmp(zeros<float>(N));
  gesummv<N><<<line_grid(N), line_block()>>>(A, B, x, y, tmp);
  CHECK_LAUNCH();

  const auto wide_x = widened(x_host);
  std::vector<double> expected = times(N, widened(a), wide_x);
  const std::vector<double> other = times(N, widened(b), wide_x);
  for (int i = 0; i < N; ++i) expected[i] = kAlpha * expected[i] + kBeta * other[i];
  return program::close("y", y.to_host(), expected, 1e-4);
}

int main(int argc, char** argv) {
  return program::verdict("gesummv", program::large(argc, argv) ? run<4096>() : run<224>());
}
