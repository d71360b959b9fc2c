// Warps that add to the same places of global memory without atomics: each place is read by all of them long
// before the first one has its sum.
#include "common/program.h"

constexpr int kRows = 128, kColumns = 512, kWarps = 8;

// Threads of all warps compute the same row's sum, each for itself.
__global__ void add_rows(const float* matrix, float* sums, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = sums[row];
  for (int j = 0; j < columns; ++j) sum += matrix[j * kRows + row];
  sums[row] = sum;
}

int main(int argc, char** argv) {
  const int columns = program::large(argc, argv) ? 64 * kColumns : kColumns;
  const auto matrix_host = program::random_floats(std::size_t{kRows} * columns, 1),
             start = program::random_floats(kRows, 2);
  program::DeviceArray<float> matrix(matrix_host), sums(start);
  add_rows<<<kRows / 32, dim3(32, kWarps)>>>(matrix, sums, columns);
  CHECK_LAUNCH();

  // One sum or several of them: which of both is not defined.
  bool pass = true;
  const std::vector<float> got = sums.to_host();
  for (int row = 0; row < kRows; ++row) {
    double sum = 0;
    for (int j = 0; j < columns; ++j) sum += matrix_host[j * kRows + row];
    bool found = false;
    for (int times = 1; times <= kWarps; ++times)
      found |= std::fabs(got[row] - (start[row] + times * sum)) <= 1e-3 * (1 + std::fabs(times * sum));
    pass &= found;
  }
  return program::verdict("shared_rows", pass);
}
