// The calls of the driver that the cases are made of.
#pragma once

#include <dlfcn.h>

#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>

#include "cuda_abi.h"

namespace wedjat::benchmarks {

class Driver {
 public:
  // Throws std::runtime_error, as all else here, with the call that failed.
  explicit Driver(const std::string& name);

  template <typename... Arguments>
  void call(const char* name, Arguments... arguments) {
    void*& function = functions_[name];
    if (function == nullptr) function = ::dlsym(library_, name);
    if (function == nullptr) throw std::runtime_error(std::string(name) + " is missing");
    const CUresult result = reinterpret_cast<CUresult (*)(Arguments...)>(function)(arguments...);
    if (result != CUDA_SUCCESS)
      throw std::runtime_error(std::string(name) + ": error " + std::to_string(static_cast<int>(result)));
  }

  // Adds one to every word.
  void increment(CUdeviceptr data, std::size_t bytes, CUstream stream = nullptr);
  void wait() { call("cuCtxSynchronize"); }
  void to_device(CUdeviceptr to, const void* from, std::size_t size) {
    call("cuMemcpyHtoD_v2", to, from, size);
  }
  void to_host(void* to, CUdeviceptr from, std::size_t size) { call("cuMemcpyDtoH_v2", to, from, size); }
  void to_device_later(CUdeviceptr to, const void* from, std::size_t size, CUstream stream = nullptr) {
    call("cuMemcpyHtoDAsync_v2", to, from, size, stream);
  }
  void to_host_later(void* to, CUdeviceptr from, std::size_t size, CUstream stream = nullptr) {
    call("cuMemcpyDtoHAsync_v2", to, from, size, stream);
  }

  // Memory full of zeros.
  CUdeviceptr device(std::size_t size);
  unsigned* pinned(std::size_t size);
  CUdeviceptr managed(std::size_t size);
  CUdeviceptr mapped(const unsigned* pinned);

  CUstream stream();
  CUevent event();

 private:
  void* library_;
  CUfunction increment_ = nullptr;
  std::map<std::string, void*> functions_;
};

}  // namespace wedjat::benchmarks
