// Alternating direction implicit integration, in double precision: in each step a sweep along every row (one
// thread a row) and a sweep along every column (one launch a row).
#include "polybench/common.h"

using namespace polybench;

template <int N>
__global__ void rows_forward(const double* A, double* B, double* X) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    for (int j = 1; j < N; j++) {
      X[i * N + j] = X[i * N + j] - X[i * N + (j - 1)] * A[i * N + j] / B[i * N + (j - 1)];
      B[i * N + j] = B[i * N + j] - A[i * N + j] * A[i * N + j] / B[i * N + (j - 1)];
    }
  }
}

template <int N>
__global__ void rows_last(const double* B, double* X) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) X[i * N + (N - 1)] = X[i * N + (N - 1)] / B[i * N + (N - 1)];
}

template <int N>
__global__ void rows_backward(const double* A, const double* B, double* X) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    for (int j = 0; j < N - 2; j++)
      X[i * N + (N - j - 2)] =
          (X[i * N + (N - 2 - j)] - X[i * N + (N - 2 - j - 1)] * A[i * N + (N - j - 3)]) /
          B[i * N + (N - 3 - j)];
  }
}

template <int N>
__global__ void columns_forward(const double* A, double* B, double* X, int i) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < N) {
    X[i * N + j] = X[i * N + j] - X[(i - 1) * N + j] * A[i * N + j] / B[(i - 1) * N + j];
    B[i * N + j] = B[i * N + j] - A[i * N + j] * A[i * N + j] / B[(i - 1) * N + j];
  }
}

template <int N>
__global__ void columns_last(const double* B, double* X) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < N) X[(N - 1) * N + j] = X[(N - 1) * N + j] / B[(N - 1) * N + j];
}

template <int N>
__global__ void columns_backward(const double* A, const double* B, double* X, int i) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < N)
    X[(N - 2 - i) * N + j] =
        (X[(N - 2 - i) * N + j] - X[(N - i - 3) * N + j] * A[(N - 3 - i) * N + j]) / B[(N - 2 - i) * N + j];
}

template <int N>
static void device_step(const double* A, double* B, double* X) {
  rows_forward<N><<<line_grid(N), line_block()>>>(A, B, X);
  CHECK_LAUNCH();
  rows_last<N><<<line_grid(N), line_block()>>>(B, X);
  CHECK_LAUNCH();
  rows_backward<N><<<line_grid(N), line_block()>>>(A, B, X);
  CHECK_LAUNCH();
  for (int i = 1; i < N; ++i) {
    columns_forward<N><<<line_grid(N), line_block()>>>(A, B, X, i);
    CHECK_LAUNCH();
  }
  columns_last<N><<<line_grid(N), line_block()>>>(B, X);
  CHECK_LAUNCH();
  for (int i = 0; i < N - 2; ++i) {
    columns_backward<N><<<line_grid(N), line_block()>>>(A, B, X, i);
    CHECK_LAUNCH();
  }
}

// One sweep on the host, along lines whose elements lie `stride` apart. `own_divisor`: the element divided by
// in the way back is that of the cell itself (columns), or the one before it (rows), as in the published
// algorithm.
template <int N>
static void host_sweep(const std::vector<double>& a, std::vector<double>& b, std::vector<double>& x,
                       int stride, bool own_divisor) {
  const int other = stride == 1 ? N : 1;
  for (int line = 0; line < N; ++line) {
    const auto at = [&](int k) { return line * other + k * stride; };
    for (int k = 1; k < N; ++k) {
      x[at(k)] -= x[at(k - 1)] * a[at(k)] / b[at(k - 1)];
      b[at(k)] -= a[at(k)] * a[at(k)] / b[at(k - 1)];
    }
    x[at(N - 1)] /= b[at(N - 1)];
    for (int k = N - 2; k > 0; --k)
      x[at(k)] = (x[at(k)] - x[at(k - 1)] * a[at(k - 1)]) / b[at(own_divisor ? k : k - 1)];
  }
}

template <int N, int STEPS>
bool run() {
  const auto a = program::random_between<double>(0, 1, N * N, 1);
  auto b = program::random_between<double>(40, 60, N * N, 2),
       x = program::random_between<double>(1, 2, N * N, 3);
  DeviceArray<double> A(a), B(b), X(x);
  for (int t = 0; t < STEPS; ++t) device_step<N>(A, B, X);

  for (int t = 0; t < STEPS; ++t) {
    host_sweep<N>(a, b, x, 1, false);
    host_sweep<N>(a, b, x, N, true);
  }
  const bool b_agrees = program::close("B", B.to_host(), b, 1e-11);
  return program::close("X", X.to_host(), x, 1e-11) && b_agrees;
}

int main(int argc, char** argv) {
  return program::verdict("adi", program::large(argc, argv) ? run<512, 5>() : run<80, 2>());
}
