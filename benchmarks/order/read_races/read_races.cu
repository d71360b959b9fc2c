// Loads that race with stores: warps see the old number or the new one, whichever the hardware came to first.
#include "common/program.h"

constexpr int kWarps = 8, kBlock = 32 * kWarps, kBlocks = 24, kCells = 64;
constexpr int kOld = 100, kNew = 1000;

// Arithmetic and chains of loads take different times on hardware than in any model of it.
__device__ int slow_arithmetic(int value, int steps) {
  for (int i = 0; i < steps; ++i) value = value * 1664525 + 1013904223;
  return value;
}
__device__ int slow_loads(const int* next, int place, int steps) {
  for (int i = 0; i < steps; ++i) place = __ldcg(&next[place]);
  return place;
}

// Within a CTA: warp 0 stores, the others read, some at once, some after a chain of loads.
__global__ void between_warps(const int* next, int* seen, int* sums, int steps) {
  __shared__ int cells[32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x;
  if (warp == 0) cells[lane] = kOld + lane;
  __syncthreads();
  if (warp == 0) {
    const int late = slow_arithmetic(i, steps);
    cells[lane] = kNew + lane + (late == 12345);
  } else {
    const int place = warp % 2 ? lane : slow_loads(next, lane, steps / 8);
    const int value = *(volatile int*)&cells[place % 32];
    int sum = 3 * value;
    for (int other = 16; other > 0; other /= 2) sum += __shfl_xor_sync(~0u, sum, other);
    if (lane == 0) sums[i / 32] = sum;
    seen[i] = value * 7 + warp;
  }
}

// Between CTAs: the first ones store in turn, all read.
__global__ void between_ctas(const int* next, int* cells, int* seen, int steps) {
  const int lane = threadIdx.x;
  if (blockIdx.x < 2)
    cells[32 * blockIdx.x + lane] = kNew + lane + (slow_arithmetic(lane, steps) == 12345);
  else
    seen[32 * blockIdx.x + lane] =
        __ldcg(&cells[slow_loads(next, lane, blockIdx.x % 3 * steps / 8) % 32 + 32 * (blockIdx.x % 2)]) / 2;
}

__global__ void add_up(const int* seen, int* total, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += seen[i];
  *total = sum;
}

bool either(int seen, int old_one, int new_one) { return seen == old_one || seen == new_one; }

int main(int argc, char** argv) {
  const int steps = program::large(argc, argv) ? 1 << 14 : 1 << 11;
  std::vector<int> ring(kCells), start(kCells);
  for (int i = 0; i < kCells; ++i) {
    ring[i] = (i + 32) % kCells;  // after an even number of steps back where it began
    start[i] = kOld + i % 32;
  }
  const program::DeviceArray<int> next(ring), cells(start);
  const program::DeviceArray<int> seen(kBlocks * kBlock), sums(kBlocks * kWarps), across(32 * kBlocks),
      total(1);
  CUDA_CHECK(cudaMemset(seen, 0, kBlocks * kBlock * sizeof(int)));
  CUDA_CHECK(cudaMemset(sums, 0, kBlocks * kWarps * sizeof(int)));
  CUDA_CHECK(cudaMemset(across, 0, 32 * kBlocks * sizeof(int)));
  between_warps<<<kBlocks, kBlock>>>(next, seen, sums, steps);
  CHECK_LAUNCH();
  between_ctas<<<kBlocks, 32>>>(next, cells, across, steps);
  CHECK_LAUNCH();
  add_up<<<1, 1>>>(across, total, 32 * kBlocks);
  CHECK_LAUNCH();

  const std::vector<int> warps = seen.to_host(), sum = sums.to_host(), ctas = across.to_host();
  bool pass = true;
  for (int w = 0; w < kBlocks * kWarps; ++w) {
    if (w % kWarps == 0) continue;
    int wanted = 0;
    for (int lane = 0; lane < 32; ++lane) {
      const int value = (warps[32 * w + lane] - w % kWarps) / 7;
      pass &= either(value, kOld + lane, kNew + lane);
      wanted += 3 * value;
    }
    pass &= sum[w] == wanted;
  }
  int wanted = 0;
  for (int i = 0; i < 32 * kBlocks; ++i) {
    if (i >= 64) pass &= either(ctas[i], (kOld + i % 32) / 2, (kNew + i % 32) / 2);
    wanted += ctas[i];
  }
  pass &= program::equal_bits("total", total.to_host(), {wanted});
  pass &= program::equal_bits("cells", cells.to_host(), [] {
    std::vector<int> stored(kCells);
    for (int i = 0; i < kCells; ++i) stored[i] = kNew + i % 32;
    return stored;
  }());
  return program::verdict("read_races", pass);
}
