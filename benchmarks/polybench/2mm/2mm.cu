// D = alpha * A * B * C + beta * D, as two matrix products.
#include "polybench/common.h"

using namespace polybench;

constexpr float kAlpha = 1.5f, kBeta = 1.2f;

template <int N>
__global__ void first(const float* A, const float* B, float* tmp) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < N && j < N) {
    tmp[i * N + j] = 0;
    for (int k = 0; k < N; k++) tmp[i * N + j] += kAlpha * A[i * N + k] * B[k * N + j];
  }
}

template <int N>
__global__ void second(const float* tmp, const float* C, float* D) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < N && j < N) {
    D[i * N + j] *= kBeta;
    for (int k = 0; k < N; k++) D[i * N + j] += tmp[i * N + k] * C[k * N + j];
  }
}

template <int N>
bool run() {
  const auto a = program::random_floats(N * N, 1), b = program::random_floats(N * N, 2),
             c = program::random_floats(N * N, 3), d = program::random_floats(N * N, 4);
  DeviceArray<float> A(a), B(b), C(c), D(d), tmp(zeros<float>(N * N));
  first<N><<<plane_grid(N, N), plane_block()>>>(A, B, tmp);
  CHECK_LAUNCH();
  second<N><<<plane_grid(N, N), plane_block()>>>(tmp, C, D);
  CHECK_LAUNCH();

  std::vector<double> expected = product(N, product(N, widened(a), widened(b)), widened(c));
  for (int i = 0; i < N * N; ++i) expected[i] = kAlpha * expected[i] + kBeta * d[i];
  return program::close("D", D.to_host(), expected, 1e-4);
}

int main(int argc, char** argv) {
  return program::verdict("2mm", program::large(argc, argv) ? run<1024>() : run<128>());
}
