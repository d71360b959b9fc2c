// C = alpha * (A * B^T + B * A^T) + beta * C.
#include "polybench/common.h"

using namespace polybench;

constexpr float kAlpha = 12.435f, kBeta = 4.512f;

template <int N>
__global__ void syr2k(const float* A, const float* B, float* C) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < N && j < N) {
    C[i * N + j] *= kBeta;
    for (int k = 0; k < N; k++)
      C[i * N + j] += kAlpha * A[i * N + k] * B[j * N + k] + kAlpha * B[i * N + k] * A[j * N + k];
  }
}

template <int N>
bool run() {
  const auto a = program::random_floats(N * N, 1), b = program::random_floats(N * N, 2),
             c = program::random_floats(N * N, 3);
  DeviceArray<float> A(a), B(b), C(c);
  syr2k<N><<<plane_grid(N, N), plane_block()>>>(A, B, C);
  CHECK_LAUNCH();

  auto products = product(N, widened(a), transposed(N, widened(b)));
  const auto other = transposed(N, products);
  for (int i = 0; i < N * N; ++i) products[i] += other[i];
  const auto expected = combined(kAlpha, products, kBeta, c);
  return program::close("C", C.to_host(), expected, 1e-4);
}

int main(int argc, char** argv) {
  return program::verdict("syr2k", program::large(argc, argv) ? run<1024>() : run<128>());
}
