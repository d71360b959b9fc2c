// A driver-API program with known results, recorded by the tests. Argument: how it ends (exit CODE, kill,
// plain _exit).
#include <dlfcn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "cuda_abi.h"
#include "traces/format/api_table.h"

namespace {

constexpr const char* kPtx =
    ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry increment() { ret; }\n";

template <typename Function>
Function find(const char* symbol, int version, unsigned long long flags = 0) {
  using GetProcAddress = CUresult (*)(const char*, void**, int, cuuint64_t, CUdriverProcAddressQueryResult*);
  static void* const library = dlopen("libcuda.so.1", RTLD_NOW);
  static const auto get =
      library ? reinterpret_cast<GetProcAddress>(dlsym(library, "cuGetProcAddress_v2")) : nullptr;
  void* found = nullptr;
  if (get == nullptr || get(symbol, &found, version, flags, nullptr) != CUDA_SUCCESS) return nullptr;
  return reinterpret_cast<Function>(found);
}

#define CHECK(call)                                                      \
  do {                                                                   \
    if (const CUresult result = (call); result != CUDA_SUCCESS) {        \
      std::fprintf(stderr, "%s: %d\n", #call, static_cast<int>(result)); \
      std::exit(99);                                                     \
    }                                                                    \
  } while (0)

// A fatbin wrapper of version 2, as -rdc=true makes it: the linked fatbin and those of two translation units.
void load_linked_library() {
  struct Fatbin {
    unsigned magic = 0xBA55ED50;
    unsigned short version = 1, header_size = 16;
    unsigned long long size;
    char contents[32];
  };
  static const Fatbin linked{.size = 8, .contents = "linked"}, first{.size = 16, .contents = "first"},
      second{.size = 24, .contents = "second"};
  static const void* const parts[] = {&first, &second, nullptr};
  static const struct {
    unsigned magic, version;
    const void* data;
    const void* const* parts;
  } wrapper = {0x466243B1, 2, &linked, parts};

  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
  CHECK((find<CUresult (*)(CUlibrary*, const void*, CUjit_option*, void**, unsigned, CUlibraryOption*, void**,
                           unsigned)>("cuLibraryLoadData", 13000)(&library, &wrapper, nullptr, nullptr, 0,
                                                                  nullptr, nullptr, 0)));
  CHECK((find<CUresult (*)(CUkernel*, CUlibrary, const char*)>("cuLibraryGetKernel", 13000)(&kernel, library,
                                                                                            "nothing")));
  CUdeviceptr variable = 0;  // the runtime asks so for what is __managed__
  CHECK((find<CUresult (*)(CUdeviceptr*, size_t*, CUlibrary, const char*)>("cuLibraryGetManaged", 13000)(
      &variable, nullptr, library, "variable")));
  *reinterpret_cast<unsigned char*>(variable) = 5;
  const auto launch =
      find<CUresult (*)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                        CUstream, void**, void**)>("cuLaunchKernel", 13000);
  CHECK(launch(reinterpret_cast<CUfunction>(kernel), 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
}

void work(unsigned count) {
  const auto alloc = find<CUresult (*)(CUdeviceptr*, size_t)>("cuMemAlloc", 13000);
  const auto release = find<CUresult (*)(CUdeviceptr)>("cuMemFree", 13000);
  const auto to_device = find<CUresult (*)(CUdeviceptr, const void*, size_t)>("cuMemcpyHtoD", 13000);
  const auto to_host = find<CUresult (*)(void*, CUdeviceptr, size_t)>("cuMemcpyDtoH", 13000);
  const auto to_host_async =
      find<CUresult (*)(void*, CUdeviceptr, size_t, CUstream)>("cuMemcpyDtoHAsync", 13000);
  const auto to_device_async =
      find<CUresult (*)(CUdeviceptr, const void*, size_t, CUstream)>("cuMemcpyHtoDAsync", 13000);
  const auto copy_2d = find<CUresult (*)(const CUDA_MEMCPY2D*)>("cuMemcpy2D", 13000);
  const auto launch =
      find<CUresult (*)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                        CUstream, void**, void**)>("cuLaunchKernel", 13000);
  const auto stream_create = find<CUresult (*)(CUstream*, unsigned)>("cuStreamCreate", 13000);
  const auto stream_wait = find<CUresult (*)(CUstream)>("cuStreamSynchronize", 13000);
  const auto host_alloc = find<CUresult (*)(void**, size_t, unsigned)>("cuMemHostAlloc", 13000);
  const auto managed_alloc = find<CUresult (*)(CUdeviceptr*, size_t, unsigned)>("cuMemAllocManaged", 13000);
  const auto host_function = find<CUresult (*)(CUstream, CUhostFn, void*)>("cuLaunchHostFunc", 13000);
  const auto wait = find<CUresult (*)()>("cuCtxSynchronize", 12000);

  CUmodule module = nullptr;
  CUfunction increment = nullptr;
  CHECK((find<CUresult (*)(CUmodule*, const void*)>("cuModuleLoadData", 13000)(&module, kPtx)));
  CHECK((find<CUresult (*)(CUfunction*, CUmodule, const char*)>("cuModuleGetFunction", 13000)(
      &increment, module, "increment")));

  const size_t bytes = count * sizeof(unsigned);
  std::vector<unsigned> host(count, 41);
  CUdeviceptr device = 0;
  CHECK(alloc(&device, bytes));
  CHECK(to_device(device, host.data(), bytes));
  void* parameters[] = {&device, &count};
  CHECK(launch(increment, count / 32, 1, 1, 32, 1, 1, 0, nullptr, parameters, nullptr));
  CHECK(to_host(host.data(), device, bytes));
  if (host[count - 1] != 42) std::exit(98);

  // Pinned memory: written by the host, read and written by the device behind the host's back.
  CUstream stream = nullptr;
  void* pinned = nullptr;
  CHECK(stream_create(&stream, CU_STREAM_NON_BLOCKING));
  CHECK(host_alloc(&pinned, bytes, 0));
  auto* numbers = static_cast<unsigned*>(pinned);
  for (unsigned i = 0; i < count; ++i) numbers[i] = 100;
  CHECK(to_device_async(device, pinned, bytes, stream));
  CHECK(launch(increment, count / 32, 1, 1, 32, 1, 1, 0, stream, parameters, nullptr));
  CHECK(to_host_async(pinned, device, bytes, stream));
  CHECK(stream_wait(stream));
  if (numbers[0] != 101) std::exit(97);

  // Managed memory, changed by a kernel and by a host function.
  CUdeviceptr managed = 0;
  CHECK(managed_alloc(&managed, bytes, 1));
  *reinterpret_cast<unsigned*>(managed) = 7;
  void* managed_parameters[] = {&managed, &count};
  CHECK(launch(increment, count / 32, 1, 1, 32, 1, 1, 0, nullptr, managed_parameters, nullptr));
  CHECK(host_function(
      nullptr, [](void* data) { *static_cast<unsigned*>(data) += 1000; }, reinterpret_cast<void*>(managed)));
  CHECK(wait());
  if (*reinterpret_cast<unsigned*>(managed) != 1008) std::exit(96);

  load_linked_library();

  // A 4 x 3 byte box out of rows of 16.
  char rows[48];
  for (int i = 0; i < 48; ++i) rows[i] = static_cast<char>(i);
  CUDA_MEMCPY2D box{};
  box.srcMemoryType = CU_MEMORYTYPE_HOST;
  box.srcHost = rows;
  box.srcPitch = 16;
  box.srcXInBytes = 2;
  box.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  box.dstDevice = device;
  box.dstPitch = 4;
  box.WidthInBytes = 4;
  box.Height = 3;
  CHECK(copy_2d(&box));
  CHECK(release(device));
}

// By symbol and through cuGetProcAddress the same function must come.
int wrong_resolutions() {
  void* library = dlopen("libcuda.so.1", RTLD_NOW);
  int wrong = 0;
  for (const auto& function : wedjat::traces::api_functions()) {
    const unsigned long long flags = function.flavour.empty() ? 0 : 2;
    void* served = find<void*>(std::string(function.base).c_str(), function.version, flags);
    if (served == nullptr || served != dlsym(library, std::string(function.name).c_str())) ++wrong;
  }
  return wrong < 100 ? wrong : 100;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "exit";
  const int code = argc > 2 ? std::atoi(argv[2]) : 0;
  const auto init = find<CUresult (*)(unsigned)>("cuInit", 2000);
  if (init == nullptr) return 95;
  CHECK(init(0));
  find<void*>("cuFromTheFuture", 14000);
  if (how == "resolve") return wrong_resolutions();
  if (how == "wait") return sleep(static_cast<unsigned>(code)), 0;
  CUcontext context = nullptr;
  CHECK((find<CUresult (*)(CUcontext*, CUdevice)>("cuDevicePrimaryCtxRetain", 7000)(&context, 0)));
  CHECK((find<CUresult (*)(CUcontext)>("cuCtxSetCurrent", 4000)(context)));
  const auto get_device = find<CUresult (*)(CUdevice*)>("cuCtxGetDevice", 13000 - 1);
  for (int i = 0; how == "burst" && i < code; ++i) {
    CUdevice device = 0;
    CHECK(get_device(&device));
  }
  if (how == "burst") return 0;
  if (how == "fork" && fork() != 0) {
    int status = 0;
    wait(&status);
  }
  if (how == "interrupt") kill(getpid(), SIGINT);
  const int rounds = how == "many" ? code : 1;
  const unsigned size = how == "kill" && code != 0 ? static_cast<unsigned>(code) : 4096;
  for (int i = 0; i < rounds; ++i) work(size);
  if (how == "kill") kill(getpid(), SIGKILL);
  if (how == "_exit") _exit(code);
  if (how == "exit_group") syscall(SYS_exit_group, code);
  if (how == "vfork") {
    if (const pid_t child = vfork(); child == 0) _exit(0);
    work(4096);
  }
  return how == "exit" ? code : 0;
}
