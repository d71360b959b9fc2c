// A stencil that reads the neighbours of the first and the last element too, where there are none, and does
// not use them.
#include "common/program.h"

constexpr int kBlock = 256;

__global__ void smooth(const float* from, float* to, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const volatile float* const all = from;
  float left = all[i - kBlock], right = all[i + kBlock];
  if (i < kBlock) left = from[i];
  if (i >= count - kBlock) right = from[i];
  to[i] = 0.25f * left + 0.5f * from[i] + 0.25f * right;
}

int main(int argc, char** argv) {
  const int count = program::large(argc, argv) ? 1 << 20 : 1 << 12;
  const auto host = program::random_floats(count, 1);
  program::DeviceArray<float> before(1 << 20), from(host), to(count);
  smooth<<<count / kBlock, kBlock>>>(from, to, count);
  CHECK_LAUNCH();

  std::vector<double> expected(count);
  for (int i = 0; i < count; ++i)
    expected[i] = 0.25 * host[i < kBlock ? i : i - kBlock] + 0.5 * host[i] +
                  0.25 * host[i >= count - kBlock ? i : i + kBlock];
  return program::verdict("beside", program::close("smoothed", to.to_host(), expected, 1e-6));
}
