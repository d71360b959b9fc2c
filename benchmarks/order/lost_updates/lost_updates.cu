// Counters that all CTAs raise without atomics: how many updates are lost follows from races without number, and is of another
// size on hardware, where thousands of threads run at once, than in any order of whole warps.
#include "common/program.h"

constexpr int kBlock = 128, kRounds = 20;

__global__ void count(int bins, unsigned* counters) {
  const unsigned thread = blockIdx.x * kBlock + threadIdx.x;
  for (unsigned round = 0; round < kRounds; ++round) {
    const unsigned bin = (thread * 7 + round * 13) % bins;
    counters[bin] = counters[bin] + 1 + (counters[(bin + 1) % bins] & 1);
  }
}

int main(int argc, char** argv) {
  const int ctas = program::large(argc, argv) ? 512 : 48, bins = 97;
  const program::DeviceArray<unsigned> counters(std::vector<unsigned>(bins, 0));
  count<<<ctas, kBlock>>>(bins, counters);
  CHECK_LAUNCH();
  bool pass = true;
  for (const unsigned counter : counters.to_host()) pass &= counter > 0 && counter <= 2u * ctas * kBlock * kRounds;
  return program::verdict("lost_updates", pass);
}
