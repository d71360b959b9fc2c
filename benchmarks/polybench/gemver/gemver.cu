// A += u1 * v1^T + u2 * v2^T; x = beta * A^T * y + z; w = alpha * A * x, in double precision.
#include "polybench/common.h"

using namespace polybench;

constexpr double kAlpha = 43.532, kBeta = 12.313;

template <int N>
__global__ void add_outer_products(double* A, const double* u1, const double* v1, const double* u2,
                                   const double* v2) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < N && j < N) A[i * N + j] += u1[i] * v1[j] + u2[i] * v2[j];
}

template <int N>
__global__ void columns(const double* A, double* x, const double* y, const double* z) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    for (int j = 0; j < N; j++) x[i] += kBeta * A[j * N + i] * y[j];
    x[i] += z[i];
  }
}

template <int N>
__global__ void rows(const double* A, const double* x, double* w) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    for (int j = 0; j < N; j++) w[i] += kAlpha * A[i * N + j] * x[j];
  }
}

template <int N>
bool run() {
  const auto vector = [](int seed) { return program::random_between<double>(-1, 1, N, seed); };
  const auto u1 = vector(1), v1 = vector(2), u2 = vector(3), v2 = vector(4), y = vector(5), z = vector(6);
  std::vector<double> a = program::random_between<double>(-1, 1, N * N, 7);
  DeviceArray<double> A(a), U1(u1), V1(v1), U2(u2), V2(v2), Y(y), Z(z), x(zeros<double>(N)),
      w(zeros<double>(N));
  add_outer_products<N><<<plane_grid(N, N), plane_block()>>>(A, U1, V1, U2, V2);
  CHECK_LAUNCH();
  columns<N><<<line_grid(N), line_block()>>>(A, x, Y, Z);
  CHECK_LAUNCH();
  rows<N><<<line_grid(N), line_block()>>>(A, x, w);
  CHECK_LAUNCH();

  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) a[i * N + j] += u1[i] * v1[j] + u2[i] * v2[j];
  std::vector<double> x_host = times(N, transposed(N, a), y);
  for (int i = 0; i < N; ++i) x_host[i] = kBeta * x_host[i] + z[i];
  std::vector<double> w_host = times(N, a, x_host);
  for (double& value : w_host) value *= kAlpha;
  const bool a_agrees = program::close("A", A.to_host(), a, 1e-13);
  return program::close("w", w.to_host(), w_host, 1e-11) && a_agrees;
}

int main(int argc, char** argv) {
  return program::verdict("gemver", program::large(argc, argv) ? run<4096>() : run<160>());
}
