// Needleman-Wunsch alignment of two sequences: 16 x 16 tiles in shared memory, one launch a diagonal of
// tiles, first those up to the longest diagonal, then the rest.
#include "common/program.h"

constexpr int kTile = 16, kPenalty = 10;

__device__ __host__ inline int largest(int a, int b, int c) {
  const int k = a <= b ? b : a;
  return k <= c ? c : k;
}

// Fills one tile of `items`, a matrix of `columns` columns whose row 0 and column 0 are given.
__device__ void align_tile(const int* reference, int* items, int columns, int tile_x, int tile_y) {
  __shared__ int temp[kTile + 1][kTile + 1];
  __shared__ int ref[kTile][kTile];
  const int tx = threadIdx.x, base = columns * kTile * tile_y + kTile * tile_x;
  const int index = base + tx + (columns + 1), index_n = base + tx + 1, index_w = base + columns;
  if (tx == 0) temp[tx][0] = items[base];
  for (int ty = 0; ty < kTile; ty++) ref[ty][tx] = reference[index + columns * ty];
  __syncthreads();
  temp[tx + 1][0] = items[index_w + columns * tx];
  __syncthreads();
  temp[0][tx + 1] = items[index_n];
  __syncthreads();
  const auto cell = [&](int x, int y) {
    temp[y][x] =
        largest(temp[y - 1][x - 1] + ref[y - 1][x - 1], temp[y][x - 1] - kPenalty, temp[y - 1][x] - kPenalty);
  };
  for (int m = 0; m < kTile; m++) {
    if (tx <= m) cell(tx + 1, m - tx + 1);
    __syncthreads();
  }
  for (int m = kTile - 2; m >= 0; m--) {
    if (tx <= m) cell(tx + kTile - m, kTile - tx);
    __syncthreads();
  }
  for (int ty = 0; ty < kTile; ty++) items[index + ty * columns] = temp[ty + 1][tx + 1];
}

__global__ void upper_left(const int* reference, int* items, int columns, int diagonal) {
  align_tile(reference, items, columns, blockIdx.x, diagonal - 1 - blockIdx.x);
}

__global__ void lower_right(const int* reference, int* items, int columns, int diagonal, int tiles) {
  align_tile(reference, items, columns, blockIdx.x + tiles - diagonal, tiles - blockIdx.x - 1);
}

int main(int argc, char** argv) {
  const int length = std::max(program::size(argc, argv, 256, 4096) / kTile, 1) * kTile, columns = length + 1;
  program::Random random(13);
  int substitution[24][24];
  for (int i = 0; i < 24; ++i)
    for (int j = 0; j <= i; ++j)
      substitution[i][j] = substitution[j][i] =
          i == j ? 4 + static_cast<int>(random.below(6)) : static_cast<int>(random.below(6)) - 4;
  std::vector<int> first(columns), second(columns);
  for (int i = 1; i < columns; ++i) {
    first[i] = static_cast<int>(random.below(23)) + 1;
    second[i] = random.below(3) == 0 ? static_cast<int>(random.below(23)) + 1 : first[i];
  }
  std::vector<int> reference_host(static_cast<std::size_t>(columns) * columns),
      items_host(reference_host.size());
  const auto at = [&](int row, int column) { return static_cast<std::size_t>(row) * columns + column; };
  for (int i = 1; i < columns; ++i) {
    items_host[at(i, 0)] = items_host[at(0, i)] = -i * kPenalty;
    for (int j = 1; j < columns; ++j) reference_host[at(i, j)] = substitution[first[i]][second[j]];
  }

  program::DeviceArray<int> reference(reference_host), items(items_host);
  const int tiles = length / kTile;
  for (int i = 1; i <= tiles; ++i) {
    upper_left<<<i, kTile>>>(reference, items, columns, i);
    CHECK_LAUNCH();
  }
  for (int i = tiles - 1; i >= 1; --i) {
    lower_right<<<i, kTile>>>(reference, items, columns, i, tiles);
    CHECK_LAUNCH();
  }

  for (int i = 1; i < columns; ++i)
    for (int j = 1; j < columns; ++j)
      items_host[at(i, j)] =
          largest(items_host[at(i - 1, j - 1)] + reference_host[at(i, j)],
                  items_host[at(i, j - 1)] - kPenalty, items_host[at(i - 1, j)] - kPenalty);
  return program::verdict("nw", program::equal_bits("scores", items.to_host(), items_host));
}
