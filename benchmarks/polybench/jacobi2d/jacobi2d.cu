// Jacobi relaxation of a plane: the mean of five neighbours, two launches a step.
#include "polybench/common.h"

using namespace polybench;

template <int N>
__global__ void relax(const float* A, float* B) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= 1 && i < N - 1 && j >= 1 && j < N - 1)
    B[i * N + j] = 0.2f * (A[i * N + j] + A[i * N + (j - 1)] + A[i * N + (1 + j)] + A[(1 + i) * N + j] +
                           A[(i - 1) * N + j]);
}

template <int N>
__global__ void copy_back(float* A, const float* B) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= 1 && i < N - 1 && j >= 1 && j < N - 1) A[i * N + j] = B[i * N + j];
}

template <int N, int STEPS>
bool run() {
  const auto a = program::random_floats(N * N, 1);
  DeviceArray<float> A(a), B(zeros<float>(N * N));
  for (int t = 0; t < STEPS; ++t) {
    relax<N><<<plane_grid(N, N), plane_block()>>>(A, B);
    CHECK_LAUNCH();
    copy_back<N><<<plane_grid(N, N), plane_block()>>>(A, B);
    CHECK_LAUNCH();
  }

  std::vector<double> expected = widened(a);
  for (int t = 0; t < STEPS; ++t) {
    const std::vector<double> old = expected;
    for (int i = 1; i < N - 1; ++i)
      for (int j = 1; j < N - 1; ++j)
        expected[i * N + j] = double(0.2f) * (old[i * N + j] + old[i * N + j - 1] + old[i * N + j + 1] +
                                              old[(i + 1) * N + j] + old[(i - 1) * N + j]);
  }
  return program::close("A", A.to_host(), expected, 1e-4);
}

int main(int argc, char** argv) {
  return program::verdict("jacobi2d", program::large(argc, argv) ? run<1024, 200>() : run<150, 20>());
}
