// A 3 x 3 convolution of a plane; the border stays 0.
#include "polybench/common.h"

using namespace polybench;

template <int N>
__global__ void convolution(const float* A, float* B) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  const float c11 = +0.2f, c21 = +0.5f, c31 = -0.8f;
  const float c12 = -0.3f, c22 = +0.6f, c32 = -0.9f;
  const float c13 = +0.4f, c23 = +0.7f, c33 = +0.10f;
  if (i > 0 && i < N - 1 && j > 0 && j < N - 1) {
    B[i * N + j] = c11 * A[(i - 1) * N + (j - 1)] + c21 * A[(i - 1) * N + j] +
                   c31 * A[(i - 1) * N + (j + 1)] + c12 * A[i * N + (j - 1)] + c22 * A[i * N + j] +
                   c32 * A[i * N + (j + 1)] + c13 * A[(i + 1) * N + (j - 1)] + c23 * A[(i + 1) * N + j] +
                   c33 * A[(i + 1) * N + (j + 1)];
  }
}

static std::vector<double> reference(int n, const std::vector<float>& a) {
  const double c[3][3] = {{0.2, 0.5, -0.8}, {-0.3, 0.6, -0.9}, {0.4, 0.7, 0.1}};
  std::vector<double> b(a.size());
  for (int i = 1; i < n - 1; ++i)
    for (int j = 1; j < n - 1; ++j)
      for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 3; ++x) b[i * n + j] += c[y][x] * a[(i + y - 1) * n + j + x - 1];
  return b;
}

template <int N>
bool run() {
  const std::vector<float> a = program::random_floats(N * N, 1);
  DeviceArray<float> A(a), B(zeros<float>(N * N));
  convolution<N><<<plane_grid(N, N), plane_block()>>>(A, B);
  CHECK_LAUNCH();
  return program::close("B", B.to_host(), reference(N, a), 1e-5);
}

int main(int argc, char** argv) {
  return program::verdict("2dconv", program::large(argc, argv) ? run<4096>() : run<200>());
}
