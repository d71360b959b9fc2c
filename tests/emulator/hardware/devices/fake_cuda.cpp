// A driver library without a GPU, for the tests of the runner. A "kernel" copies the first input bytes to its
// output, unless its instruction is one of the words below.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

namespace {

std::map<std::string, std::string> kernels;  // by entry name
bool context_lost = false;
unsigned launches = 0;

// Output bytes of the kernels of the test: one b32 a lane.
constexpr std::size_t kOutputBytes = 4096;

constexpr int kInvalidPtx = 218, kLaunchFailed = 719;

int answer() { return context_lost ? kLaunchFailed : 0; }

}  // namespace

extern "C" {

int cuInit(unsigned) { return std::getenv("FAKE_CUDA_NO_DEVICE") != nullptr ? 100 : 0; }
int cuDriverGetVersion(int* version) { return *version = 13000, 0; }
int cuGetErrorName(int error, const char** name) {
  *name = error == kInvalidPtx ? "CUDA_ERROR_INVALID_PTX"
          : error == 100       ? "CUDA_ERROR_NO_DEVICE"
                               : "CUDA_ERROR_LAUNCH_FAILED";
  return 0;
}
int cuDeviceGet(int* device, int) { return *device = 0, 0; }
int cuDeviceGetName(char* name, int bytes, int) {
  return std::strncpy(name, "Fake", static_cast<std::size_t>(bytes)), 0;
}
int cuDevicePrimaryCtxRetain(void** context, int) { return *context = nullptr, 0; }
int cuCtxSetCurrent(void*) { return 0; }
int cuCtxSynchronize() { return answer(); }

int cuModuleLoadDataEx(void** module, const void* image, unsigned, int*, void** values) {
  const std::string text = static_cast<const char*>(image);
  if (text.find("refused.b32") != text.npos) {
    std::strcpy(static_cast<char*>(values[0]), "line 1: refused");
    return kInvalidPtx;
  }
  if (text.find("compiler_crash.b32") != text.npos) std::abort();
  kernels.clear();
  const std::string mark = ".visible .entry ";
  for (std::size_t at = text.find(mark); at != text.npos; at = text.find(mark, at + 1)) {
    const std::size_t name = at + mark.size(), end = text.find('}', at);
    kernels[text.substr(name, text.find('(', name) - name)] = text.substr(at, end - at);
  }
  *module = &kernels;
  return answer();
}
int cuModuleUnload(void*) { return answer(); }
int cuModuleGetFunction(void** function, void*, const char* name) {
  *function = &kernels.at(name);
  return answer();
}
int cuMemAlloc_v2(std::uint64_t* address, std::size_t bytes) {
  *address = reinterpret_cast<std::uint64_t>(std::calloc(bytes, 1));
  return answer();
}
int cuMemsetD8_v2(std::uint64_t to, unsigned char value, std::size_t bytes) {
  std::memset(reinterpret_cast<void*>(to), value, bytes);
  return answer();
}
int cuMemcpyHtoD_v2(std::uint64_t to, const void* from, std::size_t bytes) {
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return answer();
}
int cuMemcpyDtoH_v2(void* to, std::uint64_t from, std::size_t bytes) {
  std::memcpy(to, reinterpret_cast<void*>(from), bytes);
  return answer();
}
int cuLaunchKernel(void* function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   void*, void** parameters, void**) {
  const std::string& text = *static_cast<std::string*>(function);
  const auto has = [&](const char* word) { return text.find(word) != text.npos; };
  if (has("process_crash.b32")) std::abort();
  if (has("hang.b32")) ::pause();
  if (has("context_crash.b32")) context_lost = true;
  void* const in = *static_cast<void**>(parameters[0]);
  void* const out = *static_cast<void**>(parameters[1]);
  std::memcpy(out, in, kOutputBytes);
  if (has("undecided.b32")) *static_cast<unsigned*>(out) = ++launches;
  return answer();
}
}
