// Memory that host and device use in turns and side by side: managed, pinned, registered, stream-ordered.
// Every value is mixed with a key by a kernel and checked against the host.
#include <thread>

#include "common/program.h"

constexpr int kBlock = 128;

__host__ __device__ unsigned mixed(unsigned value, unsigned key) { return (value ^ key) * 2246822519u; }

__global__ void mix(unsigned* to, const unsigned* from, unsigned n, unsigned key) {
  const unsigned i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) to[i] = mixed(from[i], key);
}

// The host writes one buffer while the device works on the other.
unsigned double_buffering(unsigned n) {
  constexpr unsigned rounds = 6;
  unsigned *in[2], *out, failures = 0;
  cudaStream_t streams[2];
  const program::DeviceArray<unsigned> first(n), second(n), first_mixed(n), second_mixed(n);
  unsigned* const work[] = {first, second};
  unsigned* const result[] = {first_mixed, second_mixed};
  const std::size_t bytes = n * sizeof(unsigned);
  CUDA_CHECK(cudaMallocHost(&out, rounds * bytes));
  for (int k = 0; k < 2; ++k) {
    CUDA_CHECK(cudaMallocHost(&in[k], bytes));
    CUDA_CHECK(cudaStreamCreateWithFlags(&streams[k], cudaStreamNonBlocking));
  }
  for (unsigned round = 0; round < rounds; ++round) {
    const unsigned k = round % 2;
    CUDA_CHECK(cudaStreamSynchronize(streams[k]));
    for (unsigned i = 0; i < n; ++i) in[k][i] = round * 1000 + i;
    CUDA_CHECK(cudaMemcpyAsync(work[k], in[k], bytes, cudaMemcpyHostToDevice, streams[k]));
    mix<<<program::blocks_for(n, kBlock), kBlock, 0, streams[k]>>>(result[k], work[k], n, round);
    CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpyAsync(out + round * n, result[k], bytes, cudaMemcpyDeviceToHost, streams[k]));
  }
  for (int k = 0; k < 2; ++k) CUDA_CHECK(cudaStreamSynchronize(streams[k]));
  for (unsigned round = 0; round < rounds; ++round)
    for (unsigned i = 0; i < n; ++i) failures += out[round * n + i] != mixed(round * 1000 + i, round);
  for (int k = 0; k < 2; ++k) {
    CUDA_CHECK(cudaFreeHost(in[k]));
    CUDA_CHECK(cudaStreamDestroy(streams[k]));
  }
  CUDA_CHECK(cudaFreeHost(out));
  return failures;
}

unsigned managed(unsigned n) {
  unsigned *values, *results, failures = 0;
  const std::size_t bytes = n * sizeof(unsigned);
  CUDA_CHECK(cudaMallocManaged(&values, bytes));
  CUDA_CHECK(cudaMallocManaged(&results, bytes));
  for (unsigned i = 0; i < n; ++i) values[i] = i * 3;
  const cudaMemLocation device{cudaMemLocationTypeDevice, 0}, host{cudaMemLocationTypeHost, 0};
  CUDA_CHECK(cudaMemAdvise(values, bytes, cudaMemAdviseSetReadMostly, device));
  CUDA_CHECK(cudaMemPrefetchAsync(values, bytes, device, 0, nullptr));
  mix<<<program::blocks_for(n, kBlock), kBlock>>>(results, values, n, 77);
  CHECK_LAUNCH();
  CUDA_CHECK(cudaMemPrefetchAsync(results, bytes, host, 0, nullptr));
  CUDA_CHECK(cudaDeviceSynchronize());
  for (unsigned i = 0; i < n; ++i) failures += results[i] != mixed(i * 3, 77);
  for (unsigned round = 0; round < 3; ++round) {  // the host writes between two waits, and before a launch
    results[round] = round;
    CUDA_CHECK(cudaDeviceSynchronize());
    results[round + 10] = round;
    mix<<<1, 32>>>(results + 100, results, 32, round);
    CHECK_LAUNCH();
    CUDA_CHECK(cudaDeviceSynchronize());
    failures += results[100 + round] != mixed(round, round) || results[110 + round] != mixed(round, round);
  }
  CUDA_CHECK(cudaFree(values));
  CUDA_CHECK(cudaFree(results));
  return failures;
}

// Zero copy: the kernel works in the host's memory.
unsigned registered(unsigned n) {
  std::vector<unsigned> values(n, 4);
  unsigned *device, failures = 0;
  CUDA_CHECK(cudaHostRegister(values.data(), n * sizeof(unsigned), cudaHostRegisterMapped));
  CUDA_CHECK(cudaHostGetDevicePointer(&device, values.data(), 0));
  mix<<<program::blocks_for(n, kBlock), kBlock>>>(device, device, n, 6);
  CHECK_LAUNCH();
  CUDA_CHECK(cudaDeviceSynchronize());
  for (const unsigned value : values) failures += value != mixed(4, 6);
  CUDA_CHECK(cudaHostUnregister(values.data()));
  return failures;
}

// A thread with a stream and stream-ordered memory of its own.
void thread_of_its_own(unsigned id, unsigned n, unsigned* failures) {
  cudaStream_t stream;
  CUDA_CHECK(cudaStreamCreate(&stream));
  std::vector<unsigned> in(n), out(n);
  for (unsigned i = 0; i < n; ++i) in[i] = i * (id + 1);
  const std::size_t bytes = n * sizeof(unsigned);
  for (unsigned round = 0; round < 3; ++round) {
    unsigned *from, *to;
    CUDA_CHECK(cudaMallocAsync(&from, bytes, stream));
    CUDA_CHECK(cudaMallocAsync(&to, bytes, stream));
    CUDA_CHECK(cudaMemcpyAsync(from, in.data(), bytes, cudaMemcpyHostToDevice, stream));
    mix<<<program::blocks_for(n, kBlock), kBlock, 0, stream>>>(to, from, n, round);
    CHECK_LAUNCH();
    CUDA_CHECK(cudaFreeAsync(from, stream));
    CUDA_CHECK(cudaMemcpyAsync(out.data(), to, bytes, cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaFreeAsync(to, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    for (unsigned i = 0; i < n; ++i) *failures += out[i] != mixed(in[i], round);
  }
  CUDA_CHECK(cudaStreamDestroy(stream));
}

int main(int argc, char** argv) {
  const auto n = static_cast<unsigned>(program::argument(argc, argv, 1, 2000));
  unsigned failures = double_buffering(n) + managed(n) + registered(n);
  unsigned of_thread[3] = {};
  std::vector<std::thread> threads;
  for (unsigned id = 0; id < 3; ++id) threads.emplace_back(thread_of_its_own, id, n, &of_thread[id]);
  for (std::thread& thread : threads) thread.join();
  for (const unsigned of_one : of_thread) failures += of_one;
  return program::verdict("host_memory", failures == 0);
}
