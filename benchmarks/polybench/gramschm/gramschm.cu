// Modified Gram-Schmidt: A = Q * R with orthonormal columns in Q; three launches a column, the first of one
// thread.
#include "polybench/common.h"

using namespace polybench;

template <int N>
__global__ void norm(const float* A, float* R, int k) {
  if (blockIdx.x * blockDim.x + threadIdx.x == 0) {
    float nrm = 0.0f;
    for (int i = 0; i < N; i++) nrm += A[i * N + k] * A[i * N + k];
    R[k * N + k] = sqrtf(nrm);
  }
}

template <int N>
__global__ void normalise(const float* A, const float* R, float* Q, int k) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) Q[i * N + k] = A[i * N + k] / R[k * N + k];
}

template <int N>
__global__ void subtract_projections(float* A, float* R, const float* Q, int k) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j > k && j < N) {
    R[k * N + j] = 0.0f;
    for (int i = 0; i < N; i++) R[k * N + j] += Q[i * N + k] * A[i * N + j];
    for (int i = 0; i < N; i++) A[i * N + j] -= Q[i * N + k] * R[k * N + j];
  }
}

// A random matrix with a heavy diagonal is well conditioned.
template <int N>
bool run() {
  auto a = program::random_floats(N * N, 1);
  for (int i = 0; i < N; ++i) a[i * N + i] += N / 4.0f;
  DeviceArray<float> A(a), Q(zeros<float>(N * N)), R(zeros<float>(N * N));
  for (int k = 0; k < N; ++k) {
    norm<N><<<1, line_block()>>>(A, R, k);
    CHECK_LAUNCH();
    normalise<N><<<line_grid(N), line_block()>>>(A, R, Q, k);
    CHECK_LAUNCH();
    subtract_projections<N><<<line_grid(N), line_block()>>>(A, R, Q, k);
    CHECK_LAUNCH();
  }

  const auto q = widened(Q.to_host());
  std::vector<double> identity(N * N);
  for (int i = 0; i < N; ++i) identity[i * N + i] = 1;
  const bool orthonormal = program::close("Q^T * Q", product(N, transposed(N, q), q), identity, 1e-3);
  return program::close("Q * R", product(N, q, widened(R.to_host())), a, 1e-4) && orthonormal;
}

int main(int argc, char** argv) {
  return program::verdict("gramschm", program::large(argc, argv) ? run<512>() : run<112>());
}
