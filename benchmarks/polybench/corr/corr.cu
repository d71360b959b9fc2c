// Correlation of M variables observed N times: means, deviations, standardising, then half a matrix of
// products.
#include "polybench/columns.h"

using namespace polybench;

constexpr float kEpsilon = 0.005f;

template <int M, int N>
__global__ void deviations(const float* mean, float* std, const float* data) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < M) {
    std[j] = 0.0f;
    for (int i = 0; i < N; i++) std[j] += (data[i * M + j] - mean[j]) * (data[i * M + j] - mean[j]);
    std[j] /= static_cast<float>(N);
    std[j] = sqrtf(std[j]);
    if (std[j] <= kEpsilon) std[j] = 1.0f;
  }
}

template <int M, int N>
__global__ void standardise(const float* mean, const float* std, float* data) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < N && j < M) {
    data[i * M + j] -= mean[j];
    data[i * M + j] /= sqrtf(static_cast<float>(N)) * std[j];
  }
}

template <int M, int N>
__global__ void correlation(const float* data, float* symmat) {
  const int j1 = blockIdx.x * blockDim.x + threadIdx.x;
  if (j1 < M - 1) {
    symmat[j1 * M + j1] = 1.0f;
    for (int j2 = j1 + 1; j2 < M; j2++) {
      symmat[j1 * M + j2] = 0.0f;
      for (int i = 0; i < N; i++) symmat[j1 * M + j2] += data[i * M + j1] * data[i * M + j2];
      symmat[j2 * M + j1] = symmat[j1 * M + j2];
    }
  }
}

template <int M, int N>
static std::vector<double> reference(const std::vector<float>& data) {
  std::vector<double> scaled = centred<M, N>(data);
  for (int j = 0; j < M; ++j) {
    double squares = 0;
    for (int i = 0; i < N; ++i) squares += scaled[i * M + j] * scaled[i * M + j];
    const double deviation = std::sqrt(squares / N);
    for (int i = 0; i < N; ++i)
      scaled[i * M + j] = scaled[i * M + j] / (deviation <= kEpsilon ? 1 : deviation) / std::sqrt(N);
  }
  std::vector<double> result = column_products<M, N>(scaled);
  for (int a = 0; a < M; ++a) result[a * M + a] = 1;
  return result;
}

// Variable 0 is the same in every observation, so that its deviation is replaced by 1.
template <int M, int N>
bool run() {
  auto data_host = program::random_floats(M * N, 1);
  for (int i = 0; i < N; ++i) data_host[i * M] = 0.25f;
  DeviceArray<float> data(data_host), mean(zeros<float>(M)), std(zeros<float>(M)),
      symmat(zeros<float>(M * M));
  means<M, N><<<line_grid(M), line_block()>>>(data, mean);
  CHECK_LAUNCH();
  deviations<M, N><<<line_grid(M), line_block()>>>(mean, std, data);
  CHECK_LAUNCH();
  standardise<M, N><<<plane_grid(M, N), plane_block()>>>(mean, std, data);
  CHECK_LAUNCH();
  correlation<M, N><<<line_grid(M), line_block()>>>(data, symmat);
  CHECK_LAUNCH();
  auto result = symmat.to_host();
  result[M * M - 1] = 1.0f;  // no thread does the last variable
  return program::close("correlations", result, reference<M, N>(data_host), 1e-4);
}

int main(int argc, char** argv) {
  return program::verdict("corr", program::large(argc, argv) ? run<1024, 1024>() : run<128, 144>());
}
