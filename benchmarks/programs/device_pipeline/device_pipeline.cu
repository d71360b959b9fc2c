// Work that goes from device to device and back: streams that wait for events of the other device's streams, memory of the host
// that both see, a host function between them, then one host thread a device, each with its own default stream.
#include <thread>

#include "common/program.h"

constexpr unsigned kBlock = 96;
constexpr int kStages = 6;

__constant__ unsigned step_of[kStages];

__device__ __host__ unsigned turn(unsigned x, unsigned stage) {
  return (x << (stage % 7 + 1) | x >> (32 - (stage % 7 + 1))) * 2654435761u + stage;
}

__global__ void stage(unsigned n, int index, const unsigned* in, unsigned* out, unsigned* seen) {
  const unsigned i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) out[i] = turn(in[i], step_of[index]);
  const unsigned active = __syncthreads_count(i < n);
  if (threadIdx.x == 0) atomicAdd_system(seen, active);
}

struct Note {
  const unsigned* seen;
  unsigned value;
};
void look(void* data) {
  auto* note = static_cast<Note*>(data);
  note->value = *note->seen;
}

int main(int argc, char** argv) {
  const unsigned n = program::argument(argc, argv, 1, 2500), grid = program::blocks_for(n, kBlock);
  int count = 0;
  CUDA_CHECK(cudaGetDeviceCount(&count));
  const int devices[2] = {0, count > 1 ? 1 : 0};
  if (count > 1) {
    for (int d = 0; d < 2; ++d) {
      int can = 0;
      CUDA_CHECK(cudaSetDevice(devices[d]));
      CUDA_CHECK(cudaDeviceCanAccessPeer(&can, devices[d], devices[1 - d]));
      if (can) CUDA_CHECK(cudaDeviceEnablePeerAccess(devices[1 - d], 0));
    }
  }
  const unsigned steps[2][kStages] = {{3, 1, 4, 1, 5, 9}, {2, 6, 5, 3, 5, 8}};
  const std::vector<float> floats = program::random_floats(n, 31);
  std::vector<unsigned> input(n);
  std::memcpy(input.data(), floats.data(), n * sizeof(unsigned));

  unsigned *in, *out, *seen;
  CUDA_CHECK(cudaHostAlloc(&in, n * sizeof(unsigned), cudaHostAllocPortable));
  CUDA_CHECK(cudaHostAlloc(&out, n * sizeof(unsigned), cudaHostAllocPortable));
  CUDA_CHECK(cudaHostAlloc(&seen, 2 * sizeof(unsigned), cudaHostAllocPortable | cudaHostAllocMapped));
  std::memcpy(in, input.data(), n * sizeof(unsigned));
  seen[0] = seen[1] = 0;

  cudaStream_t stream[2];
  cudaEvent_t ready[2];
  unsigned* buffer[2][2];
  for (int d = 0; d < 2; ++d) {
    CUDA_CHECK(cudaSetDevice(devices[d]));
    if (count > 1 || d == 1) CUDA_CHECK(cudaMemcpyToSymbol(step_of, steps[d], sizeof steps[d]));
    CUDA_CHECK(cudaStreamCreateWithFlags(&stream[d], cudaStreamNonBlocking));
    CUDA_CHECK(cudaEventCreateWithFlags(&ready[d], cudaEventDisableTiming));
    for (auto& one : buffer[d]) CUDA_CHECK(cudaMallocAsync(&one, n * sizeof(unsigned), stream[d]));
    CUDA_CHECK(cudaStreamSynchronize(stream[d]));
  }
  Note note{&seen[0], 0};
  CUDA_CHECK(cudaSetDevice(devices[0]));
  CUDA_CHECK(cudaMemcpyAsync(buffer[0][0], in, n * sizeof(unsigned), cudaMemcpyHostToDevice, stream[0]));
  std::vector<unsigned> expected = input;
  for (int s = 0; s < kStages; ++s) {
    const int d = s % 2;
    CUDA_CHECK(cudaSetDevice(devices[d]));
    stage<<<grid, kBlock, 0, stream[d]>>>(n, s, buffer[d][0], buffer[d][1], seen);
    CHECK_LAUNCH();
    for (unsigned& x : expected) x = turn(x, steps[count > 1 ? d : 1][s]);
    if (s == 2) CUDA_CHECK(cudaLaunchHostFunc(stream[d], look, &note));
    CUDA_CHECK(cudaMemcpyPeerAsync(buffer[1 - d][0], devices[1 - d], buffer[d][1], devices[d],
                                   n * sizeof(unsigned), stream[d]));
    CUDA_CHECK(cudaEventRecord(ready[d], stream[d]));
    CUDA_CHECK(cudaSetDevice(devices[1 - d]));
    CUDA_CHECK(cudaStreamWaitEvent(stream[1 - d], ready[d], 0));
  }
  CUDA_CHECK(cudaMemcpyAsync(out, buffer[0][0], n * sizeof(unsigned), cudaMemcpyDeviceToHost, stream[0]));
  CUDA_CHECK(cudaStreamSynchronize(stream[0]));
  bool pass = program::equal_bits("pipeline", std::vector<unsigned>(out, out + n), expected);
  pass = seen[0] == kStages * n && note.value == 3 * n && pass;

  // One host thread a device; both count in managed memory.
  unsigned* counted;
  CUDA_CHECK(cudaMallocManaged(&counted, 2 * sizeof(unsigned)));
  counted[0] = counted[1] = 0;
  std::vector<unsigned> results[2];
  std::thread threads[2];
  for (int d = 0; d < 2; ++d) {
    threads[d] = std::thread([&, d] {
      CUDA_CHECK(cudaSetDevice(devices[d]));
      results[d].resize(n);
      CUDA_CHECK(cudaMemcpyAsync(buffer[d][0], input.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice,
                                 cudaStreamPerThread));
      stage<<<grid, kBlock, 0, cudaStreamPerThread>>>(n, d, buffer[d][0], buffer[d][1], counted + d);
      CHECK_LAUNCH();
      CUDA_CHECK(cudaMemcpyAsync(results[d].data(), buffer[d][1], n * sizeof(unsigned),
                                 cudaMemcpyDeviceToHost, cudaStreamPerThread));
      CUDA_CHECK(cudaStreamSynchronize(cudaStreamPerThread));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int d = 0; d < 2; ++d) {
    for (unsigned i = 0; i < n; ++i) expected[i] = turn(input[i], steps[count > 1 ? d : 1][d]);
    pass = program::equal_bits("threads", results[d], expected) && counted[d] == n && pass;
    CUDA_CHECK(cudaSetDevice(devices[d]));
    for (auto* one : buffer[d]) CUDA_CHECK(cudaFreeAsync(one, stream[d]));
    CUDA_CHECK(cudaStreamSynchronize(stream[d]));
    CUDA_CHECK(cudaEventDestroy(ready[d]));
    CUDA_CHECK(cudaStreamDestroy(stream[d]));
  }
  CUDA_CHECK(cudaFree(counted));
  CUDA_CHECK(cudaFreeHost(seen));
  return program::verdict("device_pipeline", pass);
}
