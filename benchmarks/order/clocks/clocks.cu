// What clocks and timers show: another time in every run, and what is computed from it.
#include "common/program.h"

constexpr int kBlock = 64, kBlocks = 8, kCount = kBlock * kBlocks;

// A sum that any time gives, and how long it took.
__global__ void measure(unsigned* sums, long long* took, unsigned long long* began) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  unsigned long long timer;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(timer));
  const long long start = clock64();
  unsigned sum = 0;
  for (int k = 0; k <= i; ++k) sum = sum * 3 + k;
  took[i] = clock64() - start;
  sums[i] = sum;
  began[i] = timer;
}

// Of each CTA the longest.
__global__ void longest(const long long* took, long long* most) {
  long long found = 0;
  for (int i = 0; i < kBlock; ++i) found = max(found, took[blockIdx.x * kBlock + i]);
  most[blockIdx.x] = found;
}

int main(int argc, char** argv) {
  const int repeats = program::large(argc, argv) ? 64 : 1;
  const program::DeviceArray<unsigned> sums(kCount);
  const program::DeviceArray<long long> took(kCount), most(kBlocks);
  const program::DeviceArray<unsigned long long> began(kCount);
  bool pass = true;
  for (int round = 0; round < repeats; ++round) {
    measure<<<kBlocks, kBlock>>>(sums, took, began);
    CHECK_LAUNCH();
    longest<<<kBlocks, 1>>>(took, most);
    CHECK_LAUNCH();
    const std::vector<unsigned> all = sums.to_host();
    const std::vector<long long> cycles = took.to_host(), maxima = most.to_host();
    const std::vector<unsigned long long> timers = began.to_host();
    for (int i = 0; i < kCount; ++i) {
      unsigned sum = 0;
      for (int k = 0; k <= i; ++k) sum = sum * 3 + k;
      pass &= all[i] == sum && cycles[i] > 0 && cycles[i] <= maxima[i / kBlock] && timers[i] > 0;
    }
  }
  return program::verdict("clocks", pass);
}
