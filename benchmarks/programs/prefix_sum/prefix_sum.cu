// Inclusive prefix sum of integers over many blocks: in three launches, and in one launch that looks back.
#include "common/program.h"

constexpr int kBlock = 256;

__device__ unsigned block_scan(unsigned value) {
  __shared__ unsigned warps[kBlock / 32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int distance = 1; distance < 32; distance *= 2) {
    const unsigned before = __shfl_up_sync(0xffffffffu, value, distance);
    if (lane >= distance) value += before;
  }
  if (lane == 31) warps[warp] = value;
  __syncthreads();
  if (warp == 0 && lane < kBlock / 32) {
    unsigned sum = warps[lane];
    for (int distance = 1; distance < kBlock / 32; distance *= 2) {
      const unsigned before = __shfl_up_sync((1u << (kBlock / 32)) - 1, sum, distance);
      if (lane >= distance) sum += before;
    }
    warps[lane] = sum;
  }
  __syncthreads();
  return warp == 0 ? value : value + warps[warp - 1];
}

__global__ void scan_blocks(int n, const unsigned* in, unsigned* out, unsigned* totals) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const unsigned sum = block_scan(i < n ? in[i] : 0);
  if (i < n) out[i] = sum;
  if (threadIdx.x == kBlock - 1 && totals != nullptr) totals[blockIdx.x] = sum;
}

__global__ void add_totals(int n, const unsigned* totals, unsigned* out) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n && blockIdx.x > 0) out[i] += totals[blockIdx.x - 1];
}

// One pass: blocks take tiles in the order they start; each waits until its predecessor has published its
// prefix. published[tile] is the prefix up to and with the tile, plus a flag in bit 32.
__global__ void scan_chained(int n, const unsigned* in, unsigned* out, unsigned* next_tile,
                             unsigned long long* published) {
  __shared__ unsigned tile_shared, prefix_shared;
  if (threadIdx.x == 0) tile_shared = atomicAdd(next_tile, 1u);
  __syncthreads();
  const unsigned tile = tile_shared;
  const int i = tile * kBlock + threadIdx.x;
  const unsigned sum = block_scan(i < n ? in[i] : 0);
  if (threadIdx.x == kBlock - 1) {
    unsigned prefix = 0;
    if (tile > 0) {
      const volatile unsigned long long* before = &published[tile - 1];
      unsigned long long word;
      do word = *before;
      while ((word >> 32) == 0);
      prefix = static_cast<unsigned>(word);
    }
    __threadfence();
    atomicExch(&published[tile], (1ull << 32) | (prefix + sum));
    prefix_shared = prefix;
  }
  __syncthreads();
  if (i < n) out[i] = prefix_shared + sum;
}

int main(int argc, char** argv) {
  const int n = program::argument(argc, argv, 1, 60000);
  const int blocks = program::blocks_for(n, kBlock);
  if (blocks > kBlock) {
    std::fprintf(stderr, "at most %d elements: the block totals are scanned by one block\n", kBlock * kBlock);
    return 2;
  }
  std::vector<unsigned> in(n), expected(n);
  program::Random random(10);
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) expected[i] = sum += in[i] = random.below(1u << 20);

  program::DeviceArray<unsigned> din(in), out(n), totals(blocks);
  scan_blocks<<<blocks, kBlock>>>(n, din, out, totals);
  CHECK_LAUNCH();
  scan_blocks<<<1, kBlock>>>(blocks, totals, totals, nullptr);
  CHECK_LAUNCH();
  add_totals<<<blocks, kBlock>>>(n, totals, out);
  CHECK_LAUNCH();

  program::DeviceArray<unsigned> chained(n), next_tile(1);
  program::DeviceArray<unsigned long long> published(blocks);
  CUDA_CHECK(cudaMemset(next_tile, 0, sizeof(unsigned)));
  CUDA_CHECK(cudaMemset(published, 0, blocks * sizeof(unsigned long long)));
  scan_chained<<<blocks, kBlock>>>(n, din, chained, next_tile, published);
  CHECK_LAUNCH();

  const bool three_agree = program::equal_bits("three launches", out.to_host(), expected);
  const bool one_agrees = program::equal_bits("one chained launch", chained.to_host(), expected);
  return program::verdict("prefix_sum", three_agree && one_agrees);
}
