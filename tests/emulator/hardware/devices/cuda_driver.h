// The few functions of the CUDA driver API that the runner needs, from a library that is opened when the
// program runs: this builds and its tests run without a CUDA toolkit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace wedjat::hardware_truth {

struct CudaError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class CudaDriver {
 public:
  using Module = void*;
  using Function = void*;
  using Address = std::uint64_t;

  // Opens `library`, takes the first device's primary context. Throws CudaError.
  explicit CudaDriver(const std::string& library);

  std::string device_name() const;
  int api_version() const;  // 13000: CUDA 13.0

  // All throw CudaError naming the function and the driver's name for the error; load adds the JIT's log.
  Module load(const std::string& image);  // PTX text or machine code
  void unload(Module module);
  Function function(Module module, const std::string& name);
  Address allocate(std::size_t bytes);
  void fill(Address to, unsigned char value, std::size_t bytes);
  void copy_in(Address to, const void* from, std::size_t bytes);
  void copy_out(void* to, Address from, std::size_t bytes);
  void launch(Function function, unsigned blocks, unsigned threads, void** parameters);
  void synchronize();

  // A function of the library by its name.
  void* symbol(const char* name) const;
  // Throws if `function` did not answer CUDA_SUCCESS.
  void check(int result, const char* function) const;

 private:
  struct Api;
  void* library_;
  const Api* api_;
  int device_ = 0;
};

}  // namespace wedjat::hardware_truth
