// Atomics of different kinds on one place do not commute: what comes out depends on their order.
#include "common/program.h"

constexpr int kBlock = 64, kPlaces = 16;

__global__ void add_and_maximum(int* mixed, int* added, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int place = i % kPlaces;
  if (i / kPlaces % 3 == 0)
    atomicMax(&mixed[place], 5 * i);
  else
    atomicAdd(&mixed[place], i % 7 + 1);
  atomicAdd(&added[place], i % 7 + 1);
}

__global__ void few(unsigned* places) {
  const unsigned i = blockIdx.x;
  atomicAdd(&places[0], 3 * i + 1);
  atomicXor(&places[0], 0x55u << i);
  if (i % 2)
    atomicInc(&places[1], 9);
  else
    atomicAdd(&places[1], 4);
  atomicExch(&places[2], i);
  atomicAdd(&places[2], 100);
}

int main(int argc, char** argv) {
  const int count = program::large(argc, argv) ? 1 << 14 : 1 << 10;
  const program::DeviceArray<int> mixed(kPlaces), added(kPlaces);
  const program::DeviceArray<unsigned> places(3);
  CUDA_CHECK(cudaMemset(mixed, 0, kPlaces * sizeof(int)));
  CUDA_CHECK(cudaMemset(added, 0, kPlaces * sizeof(int)));
  CUDA_CHECK(cudaMemset(places, 0, 3 * sizeof(unsigned)));
  add_and_maximum<<<program::blocks_for(count, kBlock), kBlock>>>(mixed, added, count);
  CHECK_LAUNCH();
  few<<<6, 1>>>(places);
  CHECK_LAUNCH();

  std::vector<int> sums(kPlaces), largest(kPlaces);
  for (int i = 0; i < count; ++i) {
    sums[i % kPlaces] += i % 7 + 1;
    if (i / kPlaces % 3 == 0) largest[i % kPlaces] = 5 * i;
  }
  bool pass = program::equal_bits("added", added.to_host(), sums);
  const std::vector<int> got = mixed.to_host();
  for (int place = 0; place < kPlaces; ++place)
    pass &= got[place] >= largest[place] && got[place] <= largest[place] + sums[place];
  pass &= places.to_host()[2] >= 100;
  return program::verdict("mixed_atomics", pass);
}
