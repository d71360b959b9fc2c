#include "benchmarks/record/cases.h"

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <map>
#include <stdexcept>

#include "cuda_abi.h"

namespace wedjat::benchmarks {
namespace {

// The fake driver of the tests knows this kernel by its name.
constexpr const char* kPtx = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry increment(.param .u64 data, .param .u32 count)
{
  .reg .pred %p;
  .reg .b32 %r<6>;
  .reg .b64 %d<4>;
  ld.param.u64 %d0, [data];
  ld.param.u32 %r0, [count];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  setp.ge.u32 %p, %r4, %r0;
  @%p bra done;
  cvta.to.global.u64 %d1, %d0;
  mul.wide.u32 %d2, %r4, 4;
  add.u64 %d3, %d1, %d2;
  ld.global.u32 %r5, [%d3];
  add.u32 %r5, %r5, 1;
  st.global.u32 [%d3], %r5;
done:
  ret;
}
)";

constexpr std::size_t kMiB = std::size_t{1} << 20;

class Driver {
 public:
  explicit Driver(const std::string& name) : library_(::dlopen(name.c_str(), RTLD_NOW)) {
    if (library_ == nullptr) throw std::runtime_error(::dlerror());
    CUcontext context = nullptr;
    call("cuInit", 0u);
    call("cuDevicePrimaryCtxRetain", &context, CUdevice{0});
    call("cuCtxSetCurrent", context);
    CUmodule module = nullptr;
    call("cuModuleLoadData", &module, static_cast<const void*>(kPtx));
    call("cuModuleGetFunction", &increment_, module, static_cast<const char*>("increment"));
  }

  template <typename... Arguments>
  void call(const char* name, Arguments... arguments) {
    void*& function = functions_[name];
    if (function == nullptr) function = ::dlsym(library_, name);
    if (function == nullptr) throw std::runtime_error(std::string(name) + " is missing");
    const CUresult result = reinterpret_cast<CUresult (*)(Arguments...)>(function)(arguments...);
    if (result != CUDA_SUCCESS)
      throw std::runtime_error(std::string(name) + ": error " + std::to_string(static_cast<int>(result)));
  }

  void increment(CUdeviceptr data, std::size_t bytes) {
    auto count = static_cast<unsigned>(bytes / 4);
    void* parameters[] = {&data, &count};
    call("cuLaunchKernel", increment_, (count + 255) / 256, 1u, 1u, 256u, 1u, 1u, 0u, CUstream{},
         static_cast<void**>(parameters), static_cast<void**>(nullptr));
  }
  void wait() { call("cuCtxSynchronize"); }
  void to_device(CUdeviceptr to, const void* from, std::size_t size) {
    call("cuMemcpyHtoD_v2", to, from, size);
  }
  void to_host(void* to, CUdeviceptr from, std::size_t size) { call("cuMemcpyDtoH_v2", to, from, size); }
  void to_device_async(CUdeviceptr to, const void* from, std::size_t size) {
    call("cuMemcpyHtoDAsync_v2", to, from, size, CUstream{});
  }
  void to_host_async(void* to, CUdeviceptr from, std::size_t size) {
    call("cuMemcpyDtoHAsync_v2", to, from, size, CUstream{});
  }

  CUdeviceptr device(std::size_t size) {
    CUdeviceptr memory = 0;
    call("cuMemAlloc_v2", &memory, size);
    return memory;
  }
  unsigned* pinned(std::size_t size) {
    void* memory = nullptr;
    call("cuMemHostAlloc", &memory, size, 0u);
    std::memset(memory, 0, size);
    return static_cast<unsigned*>(memory);
  }
  CUdeviceptr managed(std::size_t size) {
    CUdeviceptr memory = 0;
    call("cuMemAllocManaged", &memory, size, 1u);
    return memory;
  }

 private:
  void* library_;
  CUfunction increment_ = nullptr;
  std::map<std::string, void*> functions_;
};

// A round of a case; what is made here is made before the clock starts.
using Round = std::function<void(unsigned)>;

std::vector<unsigned> noise(std::size_t bytes) {
  std::vector<unsigned> words(bytes / 4);
  std::uint64_t state = 1;
  for (unsigned& word : words) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    word = static_cast<unsigned>(state >> 33);
  }
  return words;
}

Round new_contents(Driver& cuda) {
  constexpr std::size_t size = 64 * kMiB;
  return [&cuda, memory = cuda.device(size), host = noise(size)](unsigned) mutable {
    for (std::size_t i = 0; i < host.size(); i += 1024) ++host[i];
    cuda.to_device(memory, host.data(), size);
    cuda.increment(memory, size);
    cuda.to_host(host.data(), memory, size);
  };
}

Round known_contents(Driver& cuda) {
  constexpr std::size_t size = 64 * kMiB;
  std::vector<unsigned> host = noise(size);
  const CUdeviceptr memory = cuda.device(size);
  cuda.to_device(memory, host.data(), size);
  return [&cuda, memory, host = std::move(host)](unsigned) mutable {
    cuda.to_device(memory, host.data(), size);
    cuda.to_host(host.data(), memory, size);
  };
}

Round pinned(Driver& cuda) {
  constexpr std::size_t size = 4 * kMiB, part = 64 << 10;
  std::vector<unsigned*> buffers(50);
  for (unsigned*& buffer : buffers) buffer = cuda.pinned(size);
  return [&cuda, buffers, memory = cuda.device(size)](unsigned i) {
    unsigned* buffer = buffers[i % buffers.size()];
    buffer[i % (size / 4)] = i;
    cuda.to_device_async(memory, buffer, part);
    cuda.increment(memory, part);
    cuda.to_host_async(buffer, memory, part);
    cuda.wait();
  };
}

Round managed(Driver& cuda) {
  constexpr std::size_t size = 16 * kMiB;
  const CUdeviceptr memory = cuda.managed(size);
  auto* words = reinterpret_cast<unsigned*>(memory);
  std::fill_n(words, size / 4, 0u);
  return [&cuda, memory, words](unsigned i) {
    cuda.increment(memory, size);
    cuda.wait();
    words[i] = i;
  };
}

Round launches(Driver& cuda) {
  constexpr std::size_t size = 1024;
  return [&cuda, memory = cuda.device(size)](unsigned i) {
    cuda.increment(memory, size);
    if (i % 1024 == 0) cuda.wait();
  };
}

Round small_copies(Driver& cuda) {
  constexpr std::size_t size = 1024;
  return [&cuda, memory = cuda.device(size), host = noise(size)](unsigned) mutable {
    cuda.to_device(memory, host.data(), size);
    cuda.increment(memory, size);
    cuda.to_host(host.data(), memory, size);
  };
}

Round make(Driver& cuda, const std::string& name) {
  if (name == "new") return new_contents(cuda);
  if (name == "known") return known_contents(cuda);
  if (name == "pinned") return pinned(cuda);
  if (name == "managed") return managed(cuda);
  if (name == "launches") return launches(cuda);
  if (name == "small") return small_copies(cuda);
  throw std::runtime_error("no such case: " + name);
}

}  // namespace

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"new", "64 MiB to the device and back, all of it new", 8, 128, 3},
      {"known", "64 MiB to the device and back, the same each time", 8, 128, 2},
      {"pinned", "64 KiB from and to one of 50 pinned buffers of 4 MiB", 500, 0.125, 4},
      {"managed", "16 MiB changed by a kernel, one word by the host", 50, 16, 2},
      {"launches", "a small kernel", 50'000, 0, 1},
      {"small", "1 KiB to the device and back", 10'000, 0, 3},
  };
  return all;
}

double run_case(const std::string& driver, const std::string& name, unsigned rounds) {
  Driver cuda(driver);
  const Round round = make(cuda, name);
  const auto start = std::chrono::steady_clock::now();
  for (unsigned i = 0; i < rounds; ++i) round(i);
  cuda.wait();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace wedjat::benchmarks
