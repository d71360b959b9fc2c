// LU decomposition of a matrix in 16 x 16 tiles: the tile on the diagonal, the tiles beside and below it,
// then all tiles further in; three launches a row of tiles.
#include "common/program.h"

constexpr int kTile = 16;

__global__ void diagonal(float* m, int dim, int offset) {
  __shared__ float shadow[kTile][kTile];
  const int tx = threadIdx.x;
  int at = offset * dim + offset;
  for (int i = 0; i < kTile; i++) {
    shadow[i][tx] = m[at + tx];
    at += dim;
  }
  __syncthreads();
  for (int i = 0; i < kTile - 1; i++) {
    if (tx > i) {
      for (int j = 0; j < i; j++) shadow[tx][i] -= shadow[tx][j] * shadow[j][i];
      shadow[tx][i] /= shadow[i][i];
    }
    __syncthreads();
    if (tx > i) {
      for (int j = 0; j < i + 1; j++) shadow[i + 1][tx] -= shadow[i + 1][j] * shadow[j][tx];
    }
    __syncthreads();
  }
  at = (offset + 1) * dim + offset;
  for (int i = 1; i < kTile; i++) {
    m[at + tx] = shadow[i][tx];
    at += dim;
  }
}

// Threads 0 to 15 do the tile to the right, threads 16 to 31 the tile below.
__global__ void perimeter(float* m, int dim, int offset) {
  __shared__ float dia[kTile][kTile];
  __shared__ float row[kTile][kTile];
  __shared__ float column[kTile][kTile];
  const bool right = threadIdx.x < kTile;
  const int idx = right ? threadIdx.x : threadIdx.x - kTile;
  const int start = right ? 0 : kTile / 2, further = (blockIdx.x + 1) * kTile;
  for (int i = start; i < start + kTile / 2; i++) dia[i][idx] = m[(offset + i) * dim + offset + idx];
  for (int i = 0; i < kTile; i++) {
    if (right)
      row[i][idx] = m[(offset + i) * dim + offset + further + idx];
    else
      column[i][idx] = m[(offset + further + i) * dim + offset + idx];
  }
  __syncthreads();
  if (right) {
    for (int i = 1; i < kTile; i++)
      for (int j = 0; j < i; j++) row[i][idx] -= dia[i][j] * row[j][idx];
  } else {
    for (int i = 0; i < kTile; i++) {
      for (int j = 0; j < i; j++) column[idx][i] -= column[idx][j] * dia[j][i];
      column[idx][i] /= dia[i][i];
    }
  }
  __syncthreads();
  for (int i = 0; i < kTile; i++) {
    if (right)
      m[(offset + i) * dim + offset + further + idx] = row[i][idx];
    else
      m[(offset + further + i) * dim + offset + idx] = column[i][idx];
  }
}

__global__ void internal(float* m, int dim, int offset) {
  __shared__ float row[kTile][kTile];
  __shared__ float column[kTile][kTile];
  const int global_row = offset + (blockIdx.y + 1) * kTile, global_column = offset + (blockIdx.x + 1) * kTile;
  row[threadIdx.y][threadIdx.x] = m[(offset + threadIdx.y) * dim + global_column + threadIdx.x];
  column[threadIdx.y][threadIdx.x] = m[(global_row + threadIdx.y) * dim + offset + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < kTile; i++) sum += column[threadIdx.y][i] * row[i][threadIdx.x];
  m[(global_row + threadIdx.y) * dim + global_column + threadIdx.x] -= sum;
}

int main(int argc, char** argv) {
  const int dim = std::max(program::size(argc, argv, 160, 1024) / kTile, 1) * kTile;
  auto host = program::random_floats(static_cast<std::size_t>(dim) * dim, 1);
  for (int i = 0; i < dim; ++i) host[static_cast<std::size_t>(i) * dim + i] += static_cast<float>(dim) / 2;

  program::DeviceArray<float> m(host);
  for (int i = 0; i < dim; i += kTile) {
    diagonal<<<1, kTile>>>(m, dim, i);
    CHECK_LAUNCH();
    const int tiles = (dim - i) / kTile - 1;
    if (tiles == 0) break;
    perimeter<<<tiles, 2 * kTile>>>(m, dim, i);
    CHECK_LAUNCH();
    internal<<<dim3(tiles, tiles), dim3(kTile, kTile)>>>(m, dim, i);
    CHECK_LAUNCH();
  }

  const auto both = m.to_host();
  std::vector<double> product(both.size());
  const auto at = [&](int row, int column) { return static_cast<std::size_t>(row) * dim + column; };
  for (int i = 0; i < dim; ++i)
    for (int k = 0; k <= i; ++k) {
      const double lower = k == i ? 1 : both[at(i, k)];
      for (int j = k; j < dim; ++j) product[at(i, j)] += lower * both[at(k, j)];
    }
  return program::verdict("lud", program::close("L * U", product, host, 1e-4));
}
