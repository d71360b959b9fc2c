// Multiresolution analysis: every line A[r][q][*] becomes A[r][q][*] * C4, in double precision, one r a
// launch.
#include "polybench/common.h"

using namespace polybench;

template <int N>
__host__ __device__ constexpr int at(int r, int q, int p) {
  return (r * N + q) * N + p;
}

template <int N>
__global__ void multiply(double* sum, const double* A, const double* C4, int r) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x, q = blockIdx.y * blockDim.y + threadIdx.y;
  if (p < N && q < N) {
    sum[at<N>(r, q, p)] = 0;
    for (int s = 0; s < N; s++) sum[at<N>(r, q, p)] = sum[at<N>(r, q, p)] + A[at<N>(r, q, s)] * C4[s * N + p];
  }
}

template <int N>
__global__ void copy_back(const double* sum, double* A, int r) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x, q = blockIdx.y * blockDim.y + threadIdx.y;
  if (p < N && q < N) A[at<N>(r, q, p)] = sum[at<N>(r, q, p)];
}

template <int N>
bool run() {
  const auto a = program::random_between<double>(-1, 1, N * N * N, 1);
  const auto c4 = program::random_between<double>(-1, 1, N * N, 2);
  DeviceArray<double> A(a), C4(c4), sum(zeros<double>(N * N * N));
  for (int r = 0; r < N; ++r) {
    multiply<N><<<plane_grid(N, N), plane_block()>>>(sum, A, C4, r);
    CHECK_LAUNCH();
    copy_back<N><<<plane_grid(N, N), plane_block()>>>(sum, A, r);
    CHECK_LAUNCH();
  }

  std::vector<double> expected(a.size());
  for (int line = 0; line < N * N; ++line)
    for (int s = 0; s < N; ++s)
      for (int p = 0; p < N; ++p) expected[line * N + p] += a[line * N + s] * c4[s * N + p];
  return program::close("A", A.to_host(), expected, 1e-12);
}

int main(int argc, char** argv) {
  return program::verdict("doitgen", program::large(argc, argv) ? run<160>() : run<28>());
}
