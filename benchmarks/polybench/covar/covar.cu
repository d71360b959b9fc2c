// Covariance of M variables observed N times: means, centring, then one thread a variable for its half of the
// matrix.
#include "polybench/columns.h"

using namespace polybench;

template <int M, int N>
__global__ void center(const float* mean, float* data) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < N && j < M) data[i * M + j] -= mean[j];
}

template <int M, int N>
__global__ void covariance(const float* data, float* symmat) {
  const int j1 = blockIdx.x * blockDim.x + threadIdx.x;
  if (j1 < M) {
    for (int j2 = j1; j2 < M; j2++) {
      symmat[j1 * M + j2] = 0.0f;
      for (int i = 0; i < N; i++) symmat[j1 * M + j2] += data[i * M + j1] * data[i * M + j2];
      symmat[j2 * M + j1] = symmat[j1 * M + j2];
    }
  }
}

template <int M, int N>
bool run() {
  const auto data_host = program::random_floats(M * N, 1);
  DeviceArray<float> data(data_host), mean(zeros<float>(M)), symmat(zeros<float>(M * M));
  means<M, N><<<line_grid(M), line_block()>>>(data, mean);
  CHECK_LAUNCH();
  center<M, N><<<plane_grid(M, N), plane_block()>>>(mean, data);
  CHECK_LAUNCH();
  covariance<M, N><<<line_grid(M), line_block()>>>(data, symmat);
  CHECK_LAUNCH();
  const auto expected = column_products<M, N>(centred<M, N>(data_host));
  return program::close("covariances", symmat.to_host(), expected, 1e-4);
}

int main(int argc, char** argv) {
  return program::verdict("covar", program::large(argc, argv) ? run<1024, 1024>() : run<128, 144>());
}
