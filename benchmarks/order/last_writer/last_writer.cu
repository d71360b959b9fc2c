// Several threads store different values at one place, without synchronisation: one of them stays.
#include "common/program.h"

constexpr int kBlock = 32, kPlaces = 97;

__global__ void claim(int* owner, int* claims, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  owner[i % kPlaces] = i;
  atomicAdd(&claims[i % kPlaces], 1);
}

int main(int argc, char** argv) {
  const int count = program::large(argc, argv) ? 1 << 22 : 1 << 12;
  program::DeviceArray<int> owner(kPlaces), claims(kPlaces);
  CUDA_CHECK(cudaMemset(claims, 0, kPlaces * sizeof(int)));
  claim<<<program::blocks_for(count, kBlock), kBlock>>>(owner, claims, count);
  CHECK_LAUNCH();

  std::vector<int> claims_expected(kPlaces);
  for (int i = 0; i < count; ++i) ++claims_expected[i % kPlaces];
  bool pass = program::equal_bits("claims", claims.to_host(), claims_expected);
  const std::vector<int> got = owner.to_host();
  for (int place = 0; place < kPlaces; ++place)
    pass &= got[place] >= 0 && got[place] < count && got[place] % kPlaces == place;
  return program::verdict("last_writer", pass);
}
