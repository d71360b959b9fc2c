// What memory holds that nobody wrote: whatever lay there before, which no recording knows.
#include "common/program.h"

constexpr int kBlock = 128, kBlocks = 32, kCount = kBlock * kBlocks, kWords = 4096;

// Leaves numbers behind in the shared memory of every multiprocessor.
__global__ void leave(int* out) {
  __shared__ int words[kWords];
  for (int i = threadIdx.x; i < kWords; i += kBlock) words[i] = 0x01010101 * (i % 100 + 1) + blockIdx.x;
  __syncthreads();
  out[blockIdx.x * kBlock + threadIdx.x] = words[kWords - 1 - threadIdx.x] - blockIdx.x;
}

// Of each pair of words one is written, one is not.
__global__ void read_shared(int* copied, int* computed, int* positive) {
  __shared__ int words[2 * kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  words[2 * threadIdx.x] = i;
  __syncthreads();
  const int left = words[2 * ((threadIdx.x + 1) % kBlock)], unknown = words[2 * threadIdx.x + 1];
  copied[2 * i] = left;
  copied[2 * i + 1] = unknown;
  computed[i] = left * 5 + (unknown ^ 0x77);
  if (unknown > 0) positive[i] = left;
}

__global__ void read_heap(unsigned* out) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  unsigned* block = static_cast<unsigned*>(malloc(64));
  block[0] = i;
  out[2 * i] = block[0];
  out[2 * i + 1] = block[5];
  free(block);
}

__global__ void halve(const int* computed, int* halves) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  halves[i] = computed[i] / 2;
}

int main(int argc, char** argv) {
  const int repeats = program::large(argc, argv) ? 64 : 1;
  const program::DeviceArray<int> left(1024 * kBlock), copied(2 * kCount), computed(kCount), positive(kCount),
      halves(kCount);
  const program::DeviceArray<unsigned> heap(2 * kCount);
  bool pass = true;
  for (int round = 0; round < repeats; ++round) {
    CUDA_CHECK(cudaMemset(positive, 0, kCount * sizeof(int)));
    leave<<<1024, kBlock>>>(left);
    CHECK_LAUNCH();
    read_shared<<<kBlocks, kBlock>>>(copied, computed, positive);
    CHECK_LAUNCH();
    halve<<<kBlocks, kBlock>>>(computed, halves);
    CHECK_LAUNCH();
    read_heap<<<kBlocks, kBlock>>>(heap);
    CHECK_LAUNCH();
    const std::vector<int> pairs = copied.to_host(), sums = computed.to_host(), some = positive.to_host();
    const std::vector<int> half = halves.to_host();
    const std::vector<unsigned> blocks = heap.to_host();
    for (int i = 0; i < kCount; ++i) {
      const int neighbour = i / kBlock * kBlock + (i + 1) % kBlock, unknown = pairs[2 * i + 1];
      pass &=
          pairs[2 * i] == neighbour && sums[i] == neighbour * 5 + (unknown ^ 0x77) && half[i] == sums[i] / 2;
      pass &= some[i] == (unknown > 0 ? neighbour : 0) && blocks[2 * i] == static_cast<unsigned>(i);
    }
  }
  return program::verdict("unwritten", pass);
}
