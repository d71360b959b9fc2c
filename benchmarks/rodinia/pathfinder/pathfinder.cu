// The cheapest way down a grid: dynamic programming, several rows a launch, each block redoing a border it
// shares.
#include <utility>

#include "common/program.h"

constexpr int kBlock = 256, kPyramid = 20;

__device__ __host__ inline int least(int a, int b) { return a <= b ? a : b; }

__global__ void dynproc(int iteration, const int* wall, const int* source, int* results, int columns,
                        int rows, int start, int border) {
  __shared__ int prev[kBlock];
  __shared__ int result[kBlock];
  const int tx = threadIdx.x;
  const int small_block = kBlock - iteration * 2;
  const int block_x = small_block * static_cast<int>(blockIdx.x) - border, block_x_max = block_x + kBlock - 1;
  const int x = block_x + tx;
  const int valid_min = block_x < 0 ? -block_x : 0;
  const int valid_max = block_x_max > columns - 1 ? kBlock - 1 - (block_x_max - columns + 1) : kBlock - 1;
  const int west = tx - 1 < valid_min ? valid_min : tx - 1, east = tx + 1 > valid_max ? valid_max : tx + 1;
  const bool is_valid = tx >= valid_min && tx <= valid_max;
  if (x >= 0 && x <= columns - 1) prev[tx] = source[x];
  __syncthreads();
  bool computed = false;
  for (int i = 0; i < iteration; i++) {
    computed = false;
    if (tx >= i + 1 && tx <= kBlock - i - 2 && is_valid) {
      computed = true;
      const int shortest = least(least(prev[west], prev[tx]), prev[east]);
      result[tx] = shortest + wall[columns * (start + i) + x];
    }
    __syncthreads();
    if (i == iteration - 1) break;
    if (computed) prev[tx] = result[tx];
    __syncthreads();
  }
  if (computed) results[x] = result[tx];
}

int main(int argc, char** argv) {
  const int columns = program::size(argc, argv, 2000, 1 << 20), rows = 64;
  program::Random random(7);
  std::vector<int> cells(static_cast<std::size_t>(columns) * rows);
  for (int& cell : cells) cell = static_cast<int>(random.below(10));

  const std::vector<int> first(cells.begin(), cells.begin() + columns),
      rest(cells.begin() + columns, cells.end());
  program::DeviceArray<int> wall(rest), one(first), two(std::vector<int>(columns, 0));
  program::DeviceArray<int>*from = &one, *to = &two;
  const int blocks = program::blocks_for(columns, kBlock - 2 * kPyramid);
  for (int t = 0; t < rows - 1; t += kPyramid) {
    const int iteration = std::min(kPyramid, rows - t - 1);
    const int needed = program::blocks_for(columns, kBlock - 2 * iteration);
    dynproc<<<std::min(blocks, needed), kBlock>>>(iteration, wall, *from, *to, columns, rows, t, iteration);
    CHECK_LAUNCH();
    std::swap(from, to);
  }

  std::vector<int> expected = first;
  for (int row = 0; row < rows - 1; ++row) {
    const std::vector<int> old = expected;
    for (int x = 0; x < columns; ++x)
      expected[x] = least(least(old[std::max(x - 1, 0)], old[x]), old[std::min(x + 1, columns - 1)]) +
                    rest[static_cast<std::size_t>(row) * columns + x];
  }
  return program::verdict("pathfinder", program::equal_bits("costs", from->to_host(), expected));
}
