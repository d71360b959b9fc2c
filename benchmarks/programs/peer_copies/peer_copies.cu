// Two devices in one process: a variable that each has a copy of, every kind of copy between them, and kernels of one that
// read, write and count in the memory of the other.
#include "common/program.h"

constexpr unsigned kBlock = 128;

__device__ unsigned salt;           // one a device
__device__ unsigned launches = 100;  // one a device
__managed__ unsigned together;      // one for both

__device__ __host__ unsigned mix(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  return x * 0x846ca68bu;
}

__global__ void fill(unsigned n, unsigned* out) {
  const unsigned i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) out[i] = mix(i + salt);
  if (i == 0) ++launches;
}

// `theirs` lies on the other device.
__global__ void exchange(unsigned n, unsigned* mine, unsigned* theirs) {
  const unsigned i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  const unsigned got = theirs[n - 1 - i];
  mine[i] = mix(mine[i] ^ got);
  if (i % 64 == 0) atomicAdd_system(&theirs[n], 1u);
  if (i % 32 == 0) atomicAdd_system(&together, got & 7u);
  if (i == 0) launches += 10;
}

int main(int argc, char** argv) {
  const unsigned n = program::argument(argc, argv, 1, 3000), grid = program::blocks_for(n, kBlock);
  int count = 0;
  CUDA_CHECK(cudaGetDeviceCount(&count));
  const int devices[2] = {0, count > 1 ? 1 : 0};
  bool peers = false;
  if (count > 1) {
    for (int d = 0; d < 2; ++d) {
      int can = 0;
      CUDA_CHECK(cudaDeviceCanAccessPeer(&can, devices[d], devices[1 - d]));
      peers = can != 0;
      if (!can) break;
      CUDA_CHECK(cudaSetDevice(devices[d]));
      CUDA_CHECK(cudaDeviceEnablePeerAccess(devices[1 - d], 0));
    }
  }
  std::printf("%d devices, peer access: %s\n", count, peers ? "yes" : "no");

  unsigned* data[2];
  unsigned* copy[2];
  const unsigned salts[2] = {17, count > 1 ? 4711u : 17u};
  for (int d = 0; d < 2; ++d) {
    CUDA_CHECK(cudaSetDevice(devices[d]));
    CUDA_CHECK(cudaMemcpyToSymbol(salt, &salts[d], sizeof salts[d]));
    CUDA_CHECK(cudaMalloc(&data[d], (n + 1) * sizeof(unsigned)));
    CUDA_CHECK(cudaMalloc(&copy[d], (n + 1) * sizeof(unsigned)));
    CUDA_CHECK(cudaMemset(data[d], 0, (n + 1) * sizeof(unsigned)));
    fill<<<grid, kBlock>>>(n, data[d]);
    CHECK_LAUNCH();
    CUDA_CHECK(cudaDeviceSynchronize());
  }

  // Copies between them: by device, by address alone, in a stream, by rows.
  CUDA_CHECK(cudaMemcpyPeer(copy[0], devices[0], data[1], devices[1], n * sizeof(unsigned)));
  CUDA_CHECK(cudaMemcpy(copy[1], data[0], n / 2 * sizeof(unsigned), cudaMemcpyDefault));
  cudaStream_t stream;
  CUDA_CHECK(cudaStreamCreate(&stream));  // of the second device
  CUDA_CHECK(cudaMemcpyPeerAsync(copy[1] + n / 2, devices[1], data[0] + n / 2, devices[0],
                                 (n - n / 2) * sizeof(unsigned), stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  cudaMemcpy3DPeerParms rows = {};
  rows.srcDevice = devices[1];
  rows.dstDevice = devices[0];
  rows.srcPtr = make_cudaPitchedPtr(data[1], 64, 64, 16);
  rows.dstPtr = make_cudaPitchedPtr(copy[0], 64, 64, 16);
  rows.extent = make_cudaExtent(32, 16, 1);
  rows.dstPos = make_cudaPos(32, 0, 0);
  CUDA_CHECK(cudaMemcpy3DPeer(&rows));

  std::vector<unsigned> first(n), second(n), wanted0(n), wanted1(n);
  CUDA_CHECK(cudaMemcpy(first.data(), copy[0], n * sizeof(unsigned), cudaMemcpyDefault));
  CUDA_CHECK(cudaMemcpy(second.data(), copy[1], n * sizeof(unsigned), cudaMemcpyDefault));
  for (unsigned i = 0; i < n; ++i) {
    wanted0[i] = mix(i + salts[1]);
    wanted1[i] = mix(i + salts[0]);
  }
  for (unsigned i = 0; i < 256; ++i)
    if (i % 16 >= 8) wanted0[i] = mix(i - 8 + salts[1]);
  bool pass = program::equal_bits("copies to the first", first, wanted0);
  pass = program::equal_bits("copies to the second", second, wanted1) && pass;

  // Where neither sees the other's memory, each exchanges with its copy of that.
  std::vector<unsigned> mine[2] = {wanted1, wanted0}, theirs[2] = {wanted0, wanted1};
  for (unsigned i = 0; i < n; ++i) mine[1][i] = mix(i + salts[1]);
  unsigned sum = 0;
  for (int d = 0; d < 2; ++d) {
    CUDA_CHECK(cudaSetDevice(devices[d]));
    CUDA_CHECK(cudaMemset(copy[d] + n, 0, sizeof(unsigned)));
    unsigned* const other = peers ? data[1 - d] : copy[d];
    const std::vector<unsigned>& seen = peers ? mine[1 - d] : theirs[d];
    exchange<<<grid, kBlock>>>(n, data[d], other);
    CHECK_LAUNCH();
    CUDA_CHECK(cudaDeviceSynchronize());
    for (unsigned i = 0; i < n; i += 32) sum += seen[n - 1 - i] & 7u;
    for (unsigned i = 0; i < n; ++i) mine[d][i] = mix(mine[d][i] ^ seen[n - 1 - i]);
    std::vector<unsigned> got(n);
    unsigned counted = 0;
    CUDA_CHECK(cudaMemcpy(got.data(), data[d], n * sizeof(unsigned), cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(&counted, other + n, sizeof counted, cudaMemcpyDeviceToHost));
    pass = program::equal_bits("exchange", got, mine[d]) && counted == (n + 63) / 64 && pass;
  }
  pass = together == sum && pass;
  for (int d = 0; d < 2; ++d) {
    unsigned launched = 0, kept = 0;
    CUDA_CHECK(cudaSetDevice(devices[d]));
    CUDA_CHECK(cudaMemcpyFromSymbol(&launched, launches, sizeof launched));
    CUDA_CHECK(cudaMemcpyFromSymbol(&kept, salt, sizeof kept));
    pass = launched == (count > 1 ? 111u : 122u) && kept == salts[d] && pass;
    CUDA_CHECK(cudaFree(data[d]));
    CUDA_CHECK(cudaFree(copy[d]));
  }
  return program::verdict("peer_copies", pass);
}
