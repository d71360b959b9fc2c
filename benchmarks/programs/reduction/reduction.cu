// Sums and extrema of an array: warp shuffles, then shared memory, then one block over the partial results.
// The order of the float additions is fixed, so the sum is the same bits on every run.
#include <algorithm>
#include <climits>

#include "common/program.h"

constexpr int kBlock = 256;
constexpr int kWarps = kBlock / 32;
constexpr unsigned kFullMask = 0xffffffffu;

__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(kFullMask, value, offset);
  return value;
}

__device__ int warp_max(int value) {
  for (int offset = 16; offset > 0; offset /= 2)
    value = max(value, __shfl_xor_sync(kFullMask, value, offset));
  return value;
}

__global__ void reduce_sum(int n, const float* in, float* partial) {
  __shared__ float warps[kWarps];
  float sum = 0.0f;
  for (int i = blockIdx.x * kBlock + threadIdx.x; i < n; i += gridDim.x * kBlock) sum += in[i];
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = warp_sum(threadIdx.x < kWarps ? warps[threadIdx.x] : 0.0f);
    if (threadIdx.x == 0) partial[blockIdx.x] = sum;
  }
}

// result: {sum, maximum, how many are odd}. redux, shfl and vote in one kernel, then integer atomics.
__global__ void reduce_integers(int n, const int* in, int* result) {
  for (int base = blockIdx.x * kBlock; base < n; base += gridDim.x * kBlock) {
    const int i = base + threadIdx.x;
    const int value = i < n ? in[i] : 0;
    const unsigned odd = __ballot_sync(kFullMask, i < n && value % 2 != 0);
    const int sum = __reduce_add_sync(kFullMask, value);
    const int largest = warp_max(i < n ? value : INT_MIN);
    if (threadIdx.x % 32 == 0) {
      atomicAdd(&result[0], sum);
      atomicMax(&result[1], largest);
      atomicAdd(&result[2], __popc(odd));
    }
  }
}

static float tree(std::vector<float> lanes) {
  for (std::size_t offset = 16; offset > 0; offset /= 2) {
    for (std::size_t lane = 0; lane < offset; ++lane) lanes[lane] += lanes[lane + offset];
  }
  return lanes[0];
}

static float host_sum(const std::vector<float>& in, int grid) {
  const int n = static_cast<int>(in.size());
  std::vector<float> threads(kBlock), partial(grid);
  for (int block = 0; block < grid; ++block) {
    for (int thread = 0; thread < kBlock; ++thread) {
      threads[thread] = 0.0f;
      for (int i = block * kBlock + thread; i < n; i += grid * kBlock) threads[thread] += in[i];
    }
    std::vector<float> warps(32, 0.0f);
    for (int warp = 0; warp < kWarps; ++warp) {
      warps[warp] = tree({threads.begin() + warp * 32, threads.begin() + warp * 32 + 32});
    }
    partial[block] = tree(warps);
  }
  return grid == 1 ? partial[0] : host_sum(partial, 1);
}

int main(int argc, char** argv) {
  const int n = program::argument(argc, argv, 1, 50000);
  const int grid = std::min(program::blocks_for(n, kBlock), 40);
  const std::vector<float> floats = program::random_floats(n, 5);
  std::vector<int> integers(n);
  program::Random random(6);
  for (int& value : integers) value = static_cast<int>(random.below(2000001)) - 1000000;

  program::DeviceArray<float> in(floats), partial(grid), sum(1);
  reduce_sum<<<grid, kBlock>>>(n, in, partial);
  CHECK_LAUNCH();
  reduce_sum<<<1, kBlock>>>(grid, partial, sum);
  CHECK_LAUNCH();

  program::DeviceArray<int> in_integers(integers), result(std::vector<int>{0, INT_MIN, 0});
  reduce_integers<<<grid, kBlock>>>(n, in_integers, result);
  CHECK_LAUNCH();

  std::vector<int> expected{0, INT_MIN, 0};
  for (const int value : integers) {
    expected[0] = static_cast<int>(static_cast<unsigned>(expected[0]) + static_cast<unsigned>(value));
    expected[1] = std::max(expected[1], value);
    expected[2] += value % 2 != 0;
  }
  const bool floats_agree = program::equal_bits("float sum", sum.to_host(), {host_sum(floats, grid)});
  const bool integers_agree = program::equal_bits("integer sum, maximum, odd", result.to_host(), expected);
  return program::verdict("reduction", floats_agree && integers_agree);
}
