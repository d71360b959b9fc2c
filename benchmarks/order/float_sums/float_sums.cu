// Sums by atomics: the order of the additions, and with it the rounding, is up to the hardware.
#include "common/program.h"

constexpr int kBins = 64, kBlock = 32;

// The blocks that add to a bin lie far apart.
__global__ void bin_sums(float* bins, int* counts, const float* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int bin = static_cast<int>((i * 2654435761u) >> 16) % kBins;
  atomicAdd(&bins[bin], values[i]);
  atomicAdd(&counts[bin], 1);
}

__global__ void total(float* single, double* wide, const float* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  atomicAdd(single, values[i] * values[i]);
  atomicAdd(wide, static_cast<double>(values[i]) / 3.0);
}

// Exact: each thread has its own place.
__global__ void squares(float* out, const float* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = values[i] * values[i] - 0.5f * values[i];
}

// Follows from the total: exact once that is known.
__global__ void shares(float* out, const float* values, const float* single, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = values[i] / *single;
}

int main(int argc, char** argv) {
  const int count = program::large(argc, argv) ? 1 << 20 : 1 << 10;
  const auto values_host = program::random_floats(count, 17);
  program::DeviceArray<float> values(values_host), bins(kBins), single(1), out(count), parts(count);
  program::DeviceArray<int> counts(kBins);
  program::DeviceArray<double> wide(1);
  CUDA_CHECK(cudaMemset(bins, 0, kBins * sizeof(float)));
  CUDA_CHECK(cudaMemset(counts, 0, kBins * sizeof(int)));
  CUDA_CHECK(cudaMemset(single, 0, sizeof(float)));
  CUDA_CHECK(cudaMemset(wide, 0, sizeof(double)));
  const int blocks = program::blocks_for(count, kBlock);
  bin_sums<<<blocks, kBlock>>>(bins, counts, values, count);
  CHECK_LAUNCH();
  total<<<blocks, kBlock>>>(single, wide, values, count);
  CHECK_LAUNCH();
  squares<<<blocks, kBlock>>>(out, values, count);
  CHECK_LAUNCH();
  shares<<<blocks, kBlock>>>(parts, values, single, count);
  CHECK_LAUNCH();

  std::vector<double> bins_expected(kBins), single_expected(1), wide_expected(1), out_expected;
  std::vector<int> counts_expected(kBins);
  for (int i = 0; i < count; ++i) {
    const int bin = static_cast<int>((i * 2654435761u) >> 16) % kBins;
    const double value = values_host[i];
    bins_expected[bin] += value;
    ++counts_expected[bin];
    single_expected[0] += value * value;
    wide_expected[0] += value / 3;
    out_expected.push_back(value * value - 0.5 * value);
  }
  bool pass = program::close("bins", bins.to_host(), bins_expected, 1e-4);
  pass &= program::equal_bits("counts", counts.to_host(), counts_expected);
  pass &= program::close("total", single.to_host(), single_expected, 1e-4);
  pass &= program::close("wide total", wide.to_host(), wide_expected, 1e-9);
  pass &= program::close("squares", out.to_host(), out_expected, 1e-6);
  const double whole = single.to_host()[0];
  std::vector<double> parts_expected;
  for (const float value : values_host) parts_expected.push_back(value / whole);
  pass &= program::close("shares", parts.to_host(), parts_expected, 1e-6);
  return program::verdict("float_sums", pass);
}
