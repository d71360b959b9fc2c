// Data of M variables (columns) observed N times (rows): what corr and covar share.
#pragma once

#include "polybench/common.h"

namespace polybench {

template <int M, int N>
__global__ void means(const float* data, float* mean) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < M) {
    mean[j] = 0.0f;
    for (int i = 0; i < N; i++) mean[j] += data[i * M + j];
    mean[j] /= static_cast<float>(N);
  }
}

// On the host: the data less the mean of its column.
template <int M, int N>
std::vector<double> centred(const std::vector<float>& data) {
  std::vector<double> result(data.begin(), data.end());
  for (int j = 0; j < M; ++j) {
    double mean = 0;
    for (int i = 0; i < N; ++i) mean += data[i * M + j] / double(N);
    for (int i = 0; i < N; ++i) result[i * M + j] -= mean;
  }
  return result;
}

// On the host: the products of all pairs of columns.
template <int M, int N>
std::vector<double> column_products(const std::vector<double>& data) {
  std::vector<double> result(M * M);
  for (int a = 0; a < M; ++a)
    for (int i = 0; i < N; ++i)
      for (int b = 0; b < M; ++b) result[a * M + b] += data[i * M + a] * data[i * M + b];
  return result;
}

}  // namespace polybench
