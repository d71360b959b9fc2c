// The kernel of BiCGStab: s = A^T * r and q = A * p.
#include "polybench/common.h"

using namespace polybench;

template <int N>
__global__ void columns(const float* A, const float* r, float* s) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < N) {
    s[j] = 0.0f;
    for (int i = 0; i < N; i++) s[j] += A[i * N + j] * r[i];
  }
}

template <int N>
__global__ void rows(const float* A, const float* p, float* q) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    q[i] = 0.0f;
    for (int j = 0; j < N; j++) q[i] += A[i * N + j] * p[j];
  }
}

template <int N>
bool run() {
  const auto a = program::random_floats(N * N, 1), r_host = program::random_floats(N, 2),
             p_host = program::random_floats(N, 3);
  DeviceArray<float> A(a), r(r_host), p(p_host), s(zeros<float>(N)), q(zeros<float>(N));
  columns<N><<<line_grid(N), line_block()>>>(A, r, s);
  CHECK_LAUNCH();
  rows<N><<<line_grid(N), line_block()>>>(A, p, q);
  CHECK_LAUNCH();

  const auto wide = widened(a);
  const bool s_agrees =
      program::close("s", s.to_host(), times(N, transposed(N, wide), widened(r_host)), 1e-4);
  return program::close("q", q.to_host(), times(N, wide, widened(p_host)), 1e-4) && s_agrees;
}

int main(int argc, char** argv) {
  return program::verdict("bicg", program::large(argc, argv) ? run<4096>() : run<256>());
}
