// G = (A * B) * (C * D), as three matrix products.
#include "polybench/common.h"

using namespace polybench;

template <int N>
__global__ void multiply(const float* A, const float* B, float* C) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < N && j < N) {
    C[i * N + j] = 0;
    for (int k = 0; k < N; k++) C[i * N + j] += A[i * N + k] * B[k * N + j];
  }
}

template <int N>
bool run() {
  const auto a = program::random_floats(N * N, 1), b = program::random_floats(N * N, 2),
             c = program::random_floats(N * N, 3), d = program::random_floats(N * N, 4);
  DeviceArray<float> A(a), B(b), C(c), D(d);
  DeviceArray<float> E(zeros<float>(N * N)), F(zeros<float>(N * N)), G(zeros<float>(N * N));
  multiply<N><<<plane_grid(N, N), plane_block()>>>(A, B, E);
  CHECK_LAUNCH();
  multiply<N><<<plane_grid(N, N), plane_block()>>>(C, D, F);
  CHECK_LAUNCH();
  multiply<N><<<plane_grid(N, N), plane_block()>>>(E, F, G);
  CHECK_LAUNCH();

  const auto expected = product(N, product(N, widened(a), widened(b)), product(N, widened(c), widened(d)));
  return program::close("G", G.to_host(), expected, 1e-4);
}

int main(int argc, char** argv) {
  return program::verdict("3mm", program::large(argc, argv) ? run<1024>() : run<128>());
}
