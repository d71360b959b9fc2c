// C = alpha * A * A^T + beta * C.
#include "polybench/common.h"

using namespace polybench;

constexpr float kAlpha = 12.435f, kBeta = 4.512f;

template <int N>
__global__ void syrk(const float* A, float* C) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < N && j < N) {
    C[i * N + j] *= kBeta;
    for (int k = 0; k < N; k++) C[i * N + j] += kAlpha * A[i * N + k] * A[j * N + k];
  }
}

template <int N>
bool run() {
  const auto a = program::random_floats(N * N, 1), c = program::random_floats(N * N, 2);
  DeviceArray<float> A(a), C(c);
  syrk<N><<<plane_grid(N, N), plane_block()>>>(A, C);
  CHECK_LAUNCH();

  const auto wide = widened(a);
  const auto expected = combined(kAlpha, product(N, wide, transposed(N, wide)), kBeta, c);
  return program::close("C", C.to_host(), expected, 1e-4);
}

int main(int argc, char** argv) {
  return program::verdict("syrk", program::large(argc, argv) ? run<1024>() : run<144>());
}
