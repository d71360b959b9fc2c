// C = alpha * A * B + beta * C.
#include "polybench/common.h"

using namespace polybench;

constexpr float kAlpha = 32.412f, kBeta = 2.123f;

template <int N>
__global__ void gemm(const float* A, const float* B, float* C) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < N && j < N) {
    C[i * N + j] *= kBeta;
    for (int k = 0; k < N; k++) C[i * N + j] += kAlpha * A[i * N + k] * B[k * N + j];
  }
}

template <int N>
bool run() {
  const auto a = program::random_floats(N * N, 1), b = program::random_floats(N * N, 2),
             c = program::random_floats(N * N, 3);
  DeviceArray<float> A(a), B(b), C(c);
  gemm<N><<<plane_grid(N, N), plane_block()>>>(A, B, C);
  CHECK_LAUNCH();

  const auto expected = combined(kAlpha, product(N, widened(a), widened(b)), kBeta, c);
  return program::close("C", C.to_host(), expected, 1e-4);
}

int main(int argc, char** argv) {
  return program::verdict("gemm", program::large(argc, argv) ? run<1024>() : run<160>());
}
