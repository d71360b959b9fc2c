// A 256-bin histogram of bytes: straight into global bins, and through bins in shared memory.
#include "common/program.h"

constexpr int kBins = 256;

__global__ void histogram_global(int n, const unsigned char* in, unsigned* bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[in[i]], 1u);
}

__global__ void histogram_shared(int words, const uint4* in, unsigned* bins) {
  __shared__ unsigned local[kBins];
  for (int bin = threadIdx.x; bin < kBins; bin += blockDim.x) local[bin] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x) {
    const uint4 four = in[i];
    const unsigned parts[4] = {four.x, four.y, four.z, four.w};
    for (const unsigned part : parts) {
      for (int shift = 0; shift < 32; shift += 8) atomicAdd(&local[(part >> shift) & 0xff], 1u);
    }
  }
  __syncthreads();
  for (int bin = threadIdx.x; bin < kBins; bin += blockDim.x) {
    if (local[bin] != 0) atomicAdd(&bins[bin], local[bin]);
  }
}

int main(int argc, char** argv) {
  const int n = (program::argument(argc, argv, 1, 200000) + 15) / 16 * 16;
  std::vector<unsigned char> in(n);
  std::vector<unsigned> expected(kBins, 0);
  program::Random random(8);
  // Squared, so that low bins are crowded: conflicts within a warp are the point.
  for (unsigned char& byte : in) {
    const unsigned value = random.below(256);
    byte = static_cast<unsigned char>(value * value / 256);
    ++expected[byte];
  }

  program::DeviceArray<unsigned char> bytes(in);
  program::DeviceArray<unsigned> global(kBins), shared(kBins);
  CUDA_CHECK(cudaMemset(global, 0, kBins * sizeof(unsigned)));
  CUDA_CHECK(cudaMemset(shared, 0, kBins * sizeof(unsigned)));
  histogram_global<<<program::blocks_for(n, 256), 256>>>(n, bytes, global);
  CHECK_LAUNCH();
  histogram_shared<<<6, 192>>>(n / 16, reinterpret_cast<const uint4*>(bytes.get()), shared);
  CHECK_LAUNCH();

  const bool global_agrees = program::equal_bits("global atomics", global.to_host(), expected);
  const bool shared_agrees = program::equal_bits("shared atomics", shared.to_host(), expected);
  return program::verdict("histogram", global_agrees && shared_agrees);
}
