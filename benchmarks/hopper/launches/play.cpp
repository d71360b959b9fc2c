// Launches that were packed by `pick_launches.py`, one after the other, each ROUNDS times over the same
// buffers: `play FILE [ROUNDS]`.
#include <cuda.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

void check(CUresult result, const std::string& what) {
  if (result == CUDA_SUCCESS) return;
  const char* name = "?";
  cuGetErrorName(result, &name);
  std::fprintf(stderr, "%s: %s\n", what.c_str(), name);
  std::_Exit(3);
}

class Reader {
 public:
  explicit Reader(const char* file) {
    std::ifstream in(file, std::ios::binary);
    raw_.assign(std::istreambuf_iterator<char>(in), {});
  }
  template <class T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }
  std::string blob() {
    const auto size = number<std::uint64_t>();
    return {take(size), size};
  }

 private:
  const char* take(std::uint64_t bytes) {
    if (bytes > raw_.size() - at_) std::fputs("the file of launches ends early\n", stderr), std::_Exit(3);
    at_ += bytes;
    return raw_.data() + at_ - bytes;
  }
  std::string raw_;
  std::size_t at_ = 0;
};

struct Buffer {
  std::uint64_t was = 0;  // its address when the launch was captured
  std::string bytes;
  CUdeviceptr now = 0;
};

// Addresses within parameters, as they were, become those of now.
void move_pointers(std::string& parameters, const std::vector<Buffer>& buffers) {
  for (std::size_t at = 0; at + 8 <= parameters.size(); at += 8) {
    std::uint64_t value;
    std::memcpy(&value, parameters.data() + at, 8);
    for (const Buffer& buffer : buffers)
      if (value >= buffer.was && value - buffer.was < buffer.bytes.size()) {
        value += buffer.now - buffer.was;
        std::memcpy(parameters.data() + at, &value, 8);
        break;
      }
  }
}

void play(Reader& in, int rounds) {
  const std::string name = in.blob(), ptx = in.blob(), entry = in.blob();
  std::uint32_t shape[5];  // grid, threads, dynamic shared memory
  for (std::uint32_t& one : shape) one = in.number<std::uint32_t>();
  std::string parameters = in.blob();
  std::vector<Buffer> buffers(in.number<std::uint32_t>());
  for (Buffer& buffer : buffers) {
    buffer.was = in.number<std::uint64_t>(), buffer.bytes = in.blob();
    if (!buffer.bytes.empty()) check(cuMemAlloc(&buffer.now, buffer.bytes.size()), name);
  }
  move_pointers(parameters, buffers);
  CUmodule module = nullptr;
  CUfunction kernel = nullptr;
  check(cuModuleLoadData(&module, ptx.c_str()), name);
  check(cuModuleGetFunction(&kernel, module, entry.c_str()), name);
  check(
      cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, static_cast<int>(shape[4])),
      name);
  std::size_t size = parameters.size();
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, parameters.data(), CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   CU_LAUNCH_PARAM_END};
  for (int round = 0; round < rounds; ++round) {
    for (const Buffer& buffer : buffers)
      if (!buffer.bytes.empty())
        check(cuMemcpyHtoD(buffer.now, buffer.bytes.data(), buffer.bytes.size()), name);
    check(cuLaunchKernel(kernel, shape[0], shape[1], shape[2], shape[3], 1, 1, shape[4], nullptr, nullptr,
                         extra),
          name);
    check(cuCtxSynchronize(), name);
  }
  for (Buffer& buffer : buffers)
    if (!buffer.bytes.empty()) {
      check(cuMemcpyDtoH(buffer.bytes.data(), buffer.now, buffer.bytes.size()), name);
      check(cuMemFree(buffer.now), name);
    }
  check(cuModuleUnload(module), name);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fputs("usage: play FILE [ROUNDS]\n", stderr), 2;
  CUdevice device = 0;
  CUcontext context = nullptr;
  check(cuInit(0), "cuInit");
  check(cuDeviceGet(&device, 0), "cuDeviceGet");
  check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
  check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
  Reader in(argv[1]);
  const auto count = in.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < count; ++i) play(in, argc > 2 ? std::atoi(argv[2]) : 1);
  std::puts("PASS");
}
