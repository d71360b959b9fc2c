// A convolution of a cube with eleven of the neighbours weighted, one launch a plane; the border stays 0.
#include "polybench/common.h"

using namespace polybench;

template <int N>
__host__ __device__ constexpr int at(int i, int j, int k) {
  return (i * N + j) * N + k;
}

template <int N>
__global__ void convolution(const float* A, float* B, int i) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  const float c11 = +2, c21 = +5, c31 = -8;
  const float c12 = -3, c22 = +6, c32 = -9;
  const float c13 = +4, c23 = +7, c33 = +10;
  if (j > 0 && j < N - 1 && k > 0 && k < N - 1) {
    B[at<N>(i, j, k)] = c11 * A[at<N>(i - 1, j - 1, k - 1)] + c13 * A[at<N>(i + 1, j - 1, k - 1)] +
                        c21 * A[at<N>(i - 1, j, k - 1)] + c23 * A[at<N>(i + 1, j, k - 1)] +
                        c31 * A[at<N>(i - 1, j + 1, k - 1)] + c33 * A[at<N>(i + 1, j + 1, k - 1)] +
                        c12 * A[at<N>(i, j - 1, k)] + c22 * A[at<N>(i, j, k)] + c32 * A[at<N>(i, j + 1, k)] +
                        c11 * A[at<N>(i - 1, j - 1, k + 1)] + c13 * A[at<N>(i + 1, j - 1, k + 1)] +
                        c21 * A[at<N>(i - 1, j, k + 1)] + c23 * A[at<N>(i + 1, j, k + 1)] +
                        c31 * A[at<N>(i - 1, j + 1, k + 1)] + c33 * A[at<N>(i + 1, j + 1, k + 1)];
  }
}

template <int N>
static std::vector<double> reference(const std::vector<float>& a) {
  // weight[i][j] of the planes k - 1 and k + 1; only the middle line of plane k has weights.
  const double outer[3][3] = {{2, 5, -8}, {0, 0, 0}, {4, 7, 10}}, inner[3] = {-3, 6, -9};
  std::vector<double> b(a.size());
  for (int i = 1; i < N - 1; ++i)
    for (int j = 1; j < N - 1; ++j)
      for (int k = 1; k < N - 1; ++k) {
        double sum = 0;
        for (int y = -1; y <= 1; ++y) {
          sum += inner[y + 1] * a[at<N>(i, j + y, k)];
          for (int x = -1; x <= 1; ++x) {
            const double both = double(a[at<N>(i + x, j + y, k - 1)]) + a[at<N>(i + x, j + y, k + 1)];
            sum += outer[x + 1][y + 1] * both;
          }
        }
        b[at<N>(i, j, k)] = sum;
      }
  return b;
}

template <int N>
bool run() {
  const auto a = program::random_floats(N * N * N, 1);
  DeviceArray<float> A(a), B(zeros<float>(N * N * N));
  for (int i = 1; i < N - 1; ++i) {
    convolution<N><<<plane_grid(N, N), plane_block()>>>(A, B, i);
    CHECK_LAUNCH();
  }
  return program::close("B", B.to_host(), reference<N>(a), 1e-5);
}

int main(int argc, char** argv) {
  return program::verdict("3dconv", program::large(argc, argv) ? run<256>() : run<40>());
}
