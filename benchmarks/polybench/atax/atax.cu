// y = A^T * (A * x).
#include "polybench/common.h"

using namespace polybench;

template <int N>
__global__ void rows(const float* A, const float* x, float* tmp) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    tmp[i] = 0;
    for (int j = 0; j < N; j++) tmp[i] += A[i * N + j] * x[j];
  }
}

template <int N>
__global__ void columns(const float* A, const float* tmp, float* y) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < N) {
    y[j] = 0;
    for (int i = 0; i < N; i++) y[j] += A[i * N + j] * tmp[i];
  }
}

template <int N>
bool run() {
  const auto a = program::random_floats(N * N, 1), x_host = program::random_floats(N, 2);
  DeviceArray<float> A(a), x(x_host), y(zeros<float>(N)), tmp(zeros<float>(N));
  rows<N><<<line_grid(N), line_block()>>>(A, x, tmp);
  CHECK_LAUNCH();
  columns<N><<<line_grid(N), line_block()>>>(A, tmp, y);
  CHECK_LAUNCH();

  const auto wide = widened(a);
  const auto expected = times(N, transposed(N, wide), times(N, wide, widened(x_host)));
  return program::close("y", y.to_host(), expected, 1e-4);
}

int main(int argc, char** argv) {
  return program::verdict("atax", program::large(argc, argv) ? run<4096>() : run<256>());
}
