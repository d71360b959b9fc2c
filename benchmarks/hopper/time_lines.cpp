// Runs the kernels that `straight_lines.py` made on a GPU, one warp each, and prints what their clocks say:
//
//   time_lines CUBIN FIRST COUNT ROUNDS > RESULTS     a line: the seed, cycles of every round
#include <cuda.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

constexpr std::size_t kTimes = 64u << 10, kMemory = 64u << 10,
                      kBetweenRounds = 512;  // as `straight_lines.py`

void check(CUresult result, const std::string& what) {
  if (result == CUDA_SUCCESS) return;
  const char* name = "?";
  cuGetErrorName(result, &name);
  std::fprintf(stderr, "%s: %s\n", what.c_str(), name);
  std::_Exit(3);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fputs("usage: time_lines CUBIN FIRST COUNT ROUNDS > RESULTS\n", stderr);
    return 2;
  }
  CUdevice device = 0;
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUdeviceptr times = 0, memory = 0;
  check(cuInit(0), "cuInit");
  check(cuDeviceGet(&device, 0), "cuDeviceGet");
  check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
  check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
  check(cuModuleLoad(&module, argv[1]), argv[1]);
  check(cuMemAlloc(&times, kTimes), "cuMemAlloc");
  check(cuMemAlloc(&memory, kMemory), "cuMemAlloc");
  std::vector<std::uint32_t> values(kMemory / sizeof(std::uint32_t));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint32_t>(i * 2654435761u);
  const int first = std::atoi(argv[2]), count = std::atoi(argv[3]), rounds = std::atoi(argv[4]);
  for (int seed = first; seed < first + count; ++seed) {
    const std::string name = "line" + std::to_string(seed);
    CUfunction kernel = nullptr;
    check(cuModuleGetFunction(&kernel, module, name.c_str()), name);
    check(cuMemcpyHtoD(memory, values.data(), kMemory), "cuMemcpyHtoD");
    void* parameters[] = {&times, &memory};
    check(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, parameters, nullptr), "cuLaunchKernel");
    check(cuCtxSynchronize(), name);
    std::vector<std::uint64_t> stamps(kTimes / sizeof(std::uint64_t));
    check(cuMemcpyDtoH(stamps.data(), times, kTimes), "cuMemcpyDtoH");
    std::printf("%d", seed);
    for (int round = 0; round < rounds; ++round) {
      const std::size_t at = static_cast<std::size_t>(round) * kBetweenRounds / sizeof(std::uint64_t);
      std::printf("\t%llu", static_cast<unsigned long long>(stamps[at + 1] - stamps[at]));
    }
    std::printf("\n");
  }
}
