// A kernel and threads of the host update the same managed memory at the same time, both with atomics for the whole system.
// All operations commute: whoever comes first, the same is there at the end. Then the same by the kernel alone.
#include <thread>

#include "common/program.h"

constexpr int kBlock = 64, kThreads = 2;

struct Shared {
  unsigned added, least, most, ored, host_only, device_only, started;
};

__global__ void update(int n, Shared* shared) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i == 0) atomicExch_system(&shared->started, 1u);
  if (i >= n) return;
  atomicAdd_system(&shared->added, 10u);
  atomicMin_system(&shared->least, 5000u - i);
  atomicMax_system(&shared->most, 1000u + i);
  atomicOr_system(&shared->ored, 1u << (i % 16));
  atomicAdd_system(&shared->device_only, 1u);
}

static void raise(unsigned* place, unsigned value) {
  unsigned now = __atomic_load_n(place, __ATOMIC_SEQ_CST);
  while (now < value &&
         !__atomic_compare_exchange_n(place, &now, value, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
  }
}

static void update_here(int n, int thread, Shared* shared) {
  while (__atomic_load_n(&shared->started, __ATOMIC_SEQ_CST) == 0) std::this_thread::yield();
  for (int i = thread; i < n; i += kThreads) {
    __atomic_fetch_add(&shared->added, 3, __ATOMIC_SEQ_CST);
    raise(&shared->most, 1500u + i);
    __atomic_fetch_or(&shared->ored, 1u << (16 + i % 16), __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&shared->host_only, 1, __ATOMIC_SEQ_CST);
  }
}

int main(int argc, char** argv) {
  const int n = program::argument(argc, argv, 1, 1000);
  Shared* shared;
  CUDA_CHECK(cudaMallocManaged(&shared, sizeof(Shared)));
  bool pass = true;
  for (const bool with_host : {true, false}) {
    *shared = {0, ~0u, 0, 0, 0, 0, 0};
    update<<<program::blocks_for(n, kBlock), kBlock>>>(n, shared);
    CHECK_LAUNCH();
    std::thread threads[kThreads];
    if (with_host)
      for (int t = 0; t < kThreads; ++t) threads[t] = std::thread(update_here, n, t, shared);
    for (std::thread& thread : threads)
      if (thread.joinable()) thread.join();
    CUDA_CHECK(cudaDeviceSynchronize());
    const unsigned count = static_cast<unsigned>(n), hosts = with_host ? count : 0;
    pass = shared->added == 10 * count + 3 * hosts && shared->least == 5001 - count &&
           shared->most == (with_host ? 1499 : 999) + count && shared->host_only == hosts &&
           shared->device_only == count && pass;
  }
  CUDA_CHECK(cudaFree(shared));
  return program::verdict("system_atomics", pass);
}
