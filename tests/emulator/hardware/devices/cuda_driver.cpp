#include "tests/emulator/hardware/devices/cuda_driver.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace wedjat::hardware_truth {

// Signatures as in cuda.h, with CUresult and CUdevice as int, handles as void*, CUdeviceptr as an integer.
struct CudaDriver::Api {
  int (*cuInit)(unsigned);
  int (*cuDriverGetVersion)(int*);
  int (*cuGetErrorName)(int, const char**);
  int (*cuDeviceGet)(int*, int);
  int (*cuDeviceGetName)(char*, int, int);
  int (*cuDevicePrimaryCtxRetain)(void**, int);
  int (*cuCtxSetCurrent)(void*);
  int (*cuCtxSynchronize)();
  int (*cuModuleLoadDataEx)(void**, const void*, unsigned, int*, void**);
  int (*cuModuleUnload)(void*);
  int (*cuModuleGetFunction)(void**, void*, const char*);
  int (*cuMemAlloc_v2)(Address*, std::size_t);
  int (*cuMemsetD8_v2)(Address, unsigned char, std::size_t);
  int (*cuMemcpyHtoD_v2)(Address, const void*, std::size_t);
  int (*cuMemcpyDtoH_v2)(void*, Address, std::size_t);
  int (*cuLaunchKernel)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*,
                        void**, void**);
};

namespace {

// CUjit_option
constexpr int kErrorLogBuffer = 5, kErrorLogBufferSizeBytes = 6;

}  // namespace

CudaDriver::CudaDriver(const std::string& library) : library_(dlopen(library.c_str(), RTLD_NOW)) {
  if (library_ == nullptr) throw CudaError(dlerror());
  static Api api;
#define RESOLVE(name) api.name = reinterpret_cast<decltype(api.name)>(symbol(#name))
  RESOLVE(cuInit);
  RESOLVE(cuDriverGetVersion);
  RESOLVE(cuGetErrorName);
  RESOLVE(cuDeviceGet);
  RESOLVE(cuDeviceGetName);
  RESOLVE(cuDevicePrimaryCtxRetain);
  RESOLVE(cuCtxSetCurrent);
  RESOLVE(cuCtxSynchronize);
  RESOLVE(cuModuleLoadDataEx);
  RESOLVE(cuModuleUnload);
  RESOLVE(cuModuleGetFunction);
  RESOLVE(cuMemAlloc_v2);
  RESOLVE(cuMemsetD8_v2);
  RESOLVE(cuMemcpyHtoD_v2);
  RESOLVE(cuMemcpyDtoH_v2);
  RESOLVE(cuLaunchKernel);
#undef RESOLVE
  api_ = &api;
  void* context = nullptr;
  check(api_->cuInit(0), "cuInit");
  check(api_->cuDeviceGet(&device_, 0), "cuDeviceGet");
  check(api_->cuDevicePrimaryCtxRetain(&context, device_), "cuDevicePrimaryCtxRetain");
  check(api_->cuCtxSetCurrent(context), "cuCtxSetCurrent");
}

void* CudaDriver::symbol(const char* name) const {
  void* const found = dlsym(library_, name);
  if (found == nullptr) throw CudaError(fmt::format("{} is not in the driver library", name));
  return found;
}

void CudaDriver::check(int result, const char* function) const {
  if (result == 0) return;
  const char* name = nullptr;
  if (api_->cuGetErrorName(result, &name) != 0 || name == nullptr) name = "an unknown error";
  throw CudaError(fmt::format("{}: {} ({})", function, name, result));
}

std::string CudaDriver::device_name() const {
  char name[256] = "";
  check(api_->cuDeviceGetName(name, sizeof(name), device_), "cuDeviceGetName");
  return name;
}

int CudaDriver::api_version() const {
  int version = 0;
  check(api_->cuDriverGetVersion(&version), "cuDriverGetVersion");
  return version;
}

CudaDriver::Module CudaDriver::load(const std::string& image) {
  char log[2048] = "";
  int options[] = {kErrorLogBuffer, kErrorLogBufferSizeBytes};
  void* values[] = {log, reinterpret_cast<void*>(sizeof(log))};
  Module module = nullptr;
  try {
    check(api_->cuModuleLoadDataEx(&module, image.c_str(), 2, options, values), "cuModuleLoadDataEx");
  } catch (const CudaError& error) {
    throw CudaError(fmt::format("{}: {}", error.what(), log));
  }
  return module;
}

void CudaDriver::unload(Module module) { check(api_->cuModuleUnload(module), "cuModuleUnload"); }

CudaDriver::Function CudaDriver::function(Module module, const std::string& name) {
  Function function = nullptr;
  check(api_->cuModuleGetFunction(&function, module, name.c_str()), "cuModuleGetFunction");
  return function;
}

CudaDriver::Address CudaDriver::allocate(std::size_t bytes) {
  Address address = 0;
  check(api_->cuMemAlloc_v2(&address, bytes), "cuMemAlloc");
  return address;
}

void CudaDriver::fill(Address to, unsigned char value, std::size_t bytes) {
  check(api_->cuMemsetD8_v2(to, value, bytes), "cuMemsetD8");
}

void CudaDriver::copy_in(Address to, const void* from, std::size_t bytes) {
  check(api_->cuMemcpyHtoD_v2(to, from, bytes), "cuMemcpyHtoD");
}

void CudaDriver::copy_out(void* to, Address from, std::size_t bytes) {
  check(api_->cuMemcpyDtoH_v2(to, from, bytes), "cuMemcpyDtoH");
}

void CudaDriver::launch(Function function, unsigned blocks, unsigned threads, void** parameters) {
  check(api_->cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, nullptr, parameters, nullptr),
        "cuLaunchKernel");
}

void CudaDriver::synchronize() { check(api_->cuCtxSynchronize(), "cuCtxSynchronize"); }

}  // namespace wedjat::hardware_truth
