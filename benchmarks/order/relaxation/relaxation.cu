// A grid that warps relax in place: each reads its neighbours while others store theirs, so that every number
// follows from a great many races.
#include "common/program.h"

constexpr int kRows = 40, kColumns = 80, kThreads = 320, kCells = kRows * kColumns;

__global__ void relax(const float* source, float* grid, int sweeps) {
  __shared__ float cells[kCells];
  const float* mine = source + kCells * blockIdx.x;
  for (int i = threadIdx.x; i < kCells; i += kThreads) cells[i] = mine[i];
  __syncthreads();
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (int i = threadIdx.x; i < kCells; i += kThreads) {
      const int row = i / kColumns, column = i % kColumns;
      const float up = cells[row == 0 ? i : i - kColumns], down = cells[row == kRows - 1 ? i : i + kColumns],
                  left = cells[column == 0 ? i : i - 1], right = cells[column == kColumns - 1 ? i : i + 1];
      const float change =
          (up + down + left + right - 4 * cells[i]) / (1 + fabsf(up - down) + fabsf(left - right));
      cells[i] += 0.2f * change - 0.01f * (cells[i] - mine[i]);
    }
    __syncthreads();
  }
  for (int i = threadIdx.x; i < kCells; i += kThreads) grid[kCells * blockIdx.x + i] = cells[i];
}

int main(int argc, char** argv) {
  const int ctas = program::large(argc, argv) ? 64 : 2, sweeps = 200;
  const std::vector<float> start = program::random_floats(ctas * kCells, 7);
  const program::DeviceArray<float> source(start), grid(start);
  relax<<<ctas, kThreads>>>(source, grid, sweeps);
  CHECK_LAUNCH();
  bool pass = true;
  for (const float value : grid.to_host()) pass &= value >= -1 && value <= 1;
  return program::verdict("relaxation", pass);
}
