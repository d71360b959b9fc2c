// LU decomposition in place without pivoting, in double precision: two launches a column.
#include "polybench/common.h"

using namespace polybench;

template <int N>
__global__ void divide_row(double* A, int k) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j > k && j < N) A[k * N + j] = A[k * N + j] / A[k * N + k];
}

template <int N>
__global__ void update(double* A, int k) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i > k && j > k && i < N && j < N) A[i * N + j] = A[i * N + j] - A[i * N + k] * A[k * N + j];
}

// A matrix with a dominant diagonal needs no pivots.
template <int N>
bool run() {
  auto a = program::random_between<double>(-1, 1, N * N, 1);
  for (int i = 0; i < N; ++i) a[i * N + i] += N;
  DeviceArray<double> A(a);
  for (int k = 0; k < N; ++k) {
    divide_row<N><<<line_grid(N), line_block()>>>(A, k);
    CHECK_LAUNCH();
    update<N><<<plane_grid(N, N), plane_block()>>>(A, k);
    CHECK_LAUNCH();
  }

  const auto both = A.to_host();
  std::vector<double> lower(N * N), upper(N * N);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      (j <= i ? lower : upper)[i * N + j] = both[i * N + j];
      if (i == j) upper[i * N + j] = 1;
    }
  return program::close("L * U", product(N, lower, upper), a, 1e-12);
}

int main(int argc, char** argv) {
  return program::verdict("lu", program::large(argc, argv) ? run<512>() : run<112>());
}
