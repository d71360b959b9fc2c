// A list filled through a counter: who gets which place is up to the hardware, what is in the list is not.
#include "common/program.h"

constexpr int kBlock = 64;

__global__ void select(unsigned* list, unsigned* length, const unsigned* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count && values[i] % 3 == 0) list[atomicAdd(length, 1u)] = values[i];
}

__global__ void halve(unsigned* out, const unsigned* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = values[i] / 2;
}

int main(int argc, char** argv) {
  const int count = program::large(argc, argv) ? 1 << 20 : 1 << 12;
  program::Random random(5);
  std::vector<unsigned> values_host(count), expected, halves;
  for (unsigned& value : values_host) {
    value = static_cast<unsigned>(random.bits());
    if (value % 3 == 0) expected.push_back(value);
    halves.push_back(value / 2);
  }
  program::DeviceArray<unsigned> values(values_host), list(count), length(1), out(count);
  CUDA_CHECK(cudaMemset(list, 0, count * sizeof(unsigned)));
  CUDA_CHECK(cudaMemset(length, 0, sizeof(unsigned)));
  const int blocks = program::blocks_for(count, kBlock);
  select<<<blocks, kBlock>>>(list, length, values, count);
  CHECK_LAUNCH();
  halve<<<blocks, kBlock>>>(out, values, count);
  CHECK_LAUNCH();

  std::vector<unsigned> got = list.to_host();
  bool pass = program::equal_bits("length", length.to_host(), {static_cast<unsigned>(expected.size())});
  got.resize(expected.size());
  std::sort(got.begin(), got.end());
  std::sort(expected.begin(), expected.end());
  pass &= program::equal_bits("list, sorted", got, expected);
  pass &= program::equal_bits("halves", out.to_host(), halves);
  return program::verdict("tickets", pass);
}
