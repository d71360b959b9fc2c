// Jacobi relaxation of a line: the mean of three neighbours, two launches a step.
#include "polybench/common.h"

using namespace polybench;

template <int N>
__global__ void relax(const float* A, float* B) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < N - 1) B[i] = 0.33333f * (A[i - 1] + A[i] + A[i + 1]);
}

template <int N>
__global__ void copy_back(float* A, const float* B) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < N - 1) A[i] = B[i];
}

template <int N, int STEPS>
bool run() {
  const auto a = program::random_floats(N, 1);
  DeviceArray<float> A(a), B(zeros<float>(N));
  for (int t = 0; t < STEPS; ++t) {
    relax<N><<<line_grid(N), line_block()>>>(A, B);
    CHECK_LAUNCH();
    copy_back<N><<<line_grid(N), line_block()>>>(A, B);
    CHECK_LAUNCH();
  }

  std::vector<double> expected = widened(a);
  for (int t = 0; t < STEPS; ++t) {
    const std::vector<double> old = expected;
    for (int i = 1; i < N - 1; ++i) expected[i] = double(0.33333f) * (old[i - 1] + old[i] + old[i + 1]);
  }
  return program::close("A", A.to_host(), expected, 1e-4);
}

int main(int argc, char** argv) {
  return program::verdict("jacobi1d", program::large(argc, argv) ? run<1 << 20, 500>() : run<20000, 40>());
}
