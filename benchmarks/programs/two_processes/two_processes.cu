// Two processes, a device each: the second is this program started again. They work on data of their own, then the second opens
// the first's memory and event by their handles, works there, and the first uses what it left.
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "common/program.h"

constexpr unsigned kBlock = 128;

__device__ unsigned rounds;

__global__ void work(unsigned n, unsigned key, const unsigned* in, unsigned* out) {
  const unsigned i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) out[i] = (in[i] ^ key) * 2246822519u + i;
  if (i == 0) ++rounds;
}

static unsigned worked(unsigned x, unsigned key, unsigned i) { return (x ^ key) * 2246822519u + i; }

struct Handles {
  cudaIpcMemHandle_t memory;
  cudaIpcEventHandle_t event;
};

static void send(int pipe, const void* data, std::size_t size) {
  if (::write(pipe, data, size) != static_cast<ssize_t>(size)) std::exit(2);
}
static void receive(int pipe, void* data, std::size_t size) {
  if (::read(pipe, data, size) != static_cast<ssize_t>(size)) std::exit(2);
}

static bool alone(unsigned n, unsigned key) {
  std::vector<unsigned> input(n), expected(n);
  for (unsigned i = 0; i < n; ++i) expected[i] = worked(input[i] = i * key, key, i);
  const program::DeviceArray<unsigned> in(input), out(n);
  work<<<program::blocks_for(n, kBlock), kBlock>>>(n, key, in, out);
  CHECK_LAUNCH();
  unsigned done = 0;
  CUDA_CHECK(cudaMemcpyFromSymbol(&done, rounds, sizeof done));
  return program::equal_bits("alone", out.to_host(), expected) && done == 1;
}

// In the memory behind the handle lie n numbers, and room for as many.
static bool guest(unsigned n, int from, int to) {
  Handles handles;
  receive(from, &handles, sizeof handles);
  unsigned* shared;
  cudaEvent_t ready;
  void* opened = nullptr;
  CUDA_CHECK(cudaIpcOpenMemHandle(&opened, handles.memory, cudaIpcMemLazyEnablePeerAccess));
  CUDA_CHECK(cudaIpcOpenEventHandle(&ready, handles.event));
  shared = static_cast<unsigned*>(opened);
  CUDA_CHECK(cudaStreamWaitEvent(nullptr, ready, 0));
  work<<<program::blocks_for(n, kBlock), kBlock>>>(n, 99, shared, shared + n);
  CHECK_LAUNCH();
  CUDA_CHECK(cudaDeviceSynchronize());
  std::vector<unsigned> input(n), got(n), expected(n);
  CUDA_CHECK(cudaMemcpy(input.data(), shared, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(got.data(), shared + n, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < n; ++i) expected[i] = worked(input[i], 99, i);
  CUDA_CHECK(cudaEventDestroy(ready));
  CUDA_CHECK(cudaIpcCloseMemHandle(opened));
  const bool pass = program::equal_bits("guest", got, expected);
  send(to, &pass, 1);
  return pass;
}

static bool host(unsigned n, int from, int to) {
  std::vector<unsigned> input(n), expected(n), got(n);
  for (unsigned i = 0; i < n; ++i) input[i] = i * i + 7;
  const program::DeviceArray<unsigned> in(input), shared(2 * n);
  Handles handles;
  cudaEvent_t ready;
  CUDA_CHECK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming | cudaEventInterprocess));
  work<<<program::blocks_for(n, kBlock), kBlock>>>(n, 55, in, shared);
  CHECK_LAUNCH();
  CUDA_CHECK(cudaEventRecord(ready));
  CUDA_CHECK(cudaIpcGetMemHandle(&handles.memory, shared.get()));
  CUDA_CHECK(cudaIpcGetEventHandle(&handles.event, ready));
  send(to, &handles, sizeof handles);
  bool pass = false;
  receive(from, &pass, 1);
  work<<<program::blocks_for(n, kBlock), kBlock>>>(n, 33, shared + n, shared);
  CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(got.data(), shared.get(), n * sizeof(unsigned), cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < n; ++i)
    expected[i] = worked(worked(worked(input[i], 55, i), 99, i), 33, i);
  CUDA_CHECK(cudaEventDestroy(ready));
  return program::equal_bits("host", got, expected) && pass;
}

// two_processes [COUNT = 2000] [alone]; the second process is given its pipes, too.
int main(int argc, char** argv) {
  const unsigned n = program::argument(argc, argv, 1, 2000);
  const bool shares = argc < 3 || std::strcmp(argv[2], "alone") != 0;
  if (argc > 4) {
    int count = 0;
    CUDA_CHECK(cudaGetDeviceCount(&count));
    CUDA_CHECK(cudaSetDevice(count > 1 ? 1 : 0));
    const bool pass = alone(n, 77) && (!shares || guest(n, std::atoi(argv[3]), std::atoi(argv[4])));
    return pass ? 0 : 1;
  }
  int down[2], up[2];
  if (::pipe(down) != 0 || ::pipe(up) != 0) return 2;
  const pid_t second = ::fork();
  if (second == 0) {
    const std::string from = std::to_string(down[0]), to = std::to_string(up[1]), size = std::to_string(n);
    ::execl("/proc/self/exe", argv[0], size.c_str(), shares ? "share" : "alone", from.c_str(), to.c_str(), nullptr);
    ::_exit(127);
  }
  bool pass = alone(n, 11);
  if (shares) pass = host(n, up[0], down[1]) && pass;
  int status = 0;
  pass = ::waitpid(second, &status, 0) == second && WIFEXITED(status) && WEXITSTATUS(status) == 0 && pass;
  return program::verdict("two_processes", pass);
}
