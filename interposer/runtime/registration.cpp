#include "interposer/runtime/registration.h"

#include <array>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace wedjat::runtime {
namespace {

struct ManagedVariable {
  void** host;
  std::string name;
};

struct Image {
  const void* data = nullptr;  // what nvcc puts around its fatbins: the driver knows it
  CUlibrary library = nullptr;
  CUmodule module = nullptr;  // of the library, in the primary context
  std::vector<ManagedVariable> managed;
};

struct Kernel {
  Image* image;
  std::string name;
  CUfunction function = nullptr;
};

struct Variable {
  Image* image;
  std::string name;
  Symbol place{0, 0};
};

struct Registered {
  std::recursive_mutex mutex;
  std::unordered_map<const void*, std::unique_ptr<Image>> images;  // by handle
  std::unordered_map<const void*, Kernel> kernels;
  std::unordered_map<const void*, Variable> variables;
};

// Never destroyed: programs unregister while they end.
Registered& registered() {
  static Registered& all = *new Registered;
  return all;
}

void load(Image& image) {
  if (image.module != nullptr) return;
  ready();
  if (image.library == nullptr)
    must(cuLibraryLoadData(&image.library, image.data, nullptr, nullptr, 0, nullptr, nullptr, 0));
  must(cuLibraryGetModule(&image.module, image.library));
  for (const ManagedVariable& variable : image.managed) {
    CUdeviceptr address = 0;
    size_t bytes = 0;
    must(cuModuleGetGlobal_v2(&address, &bytes, image.module, variable.name.c_str()));
    *variable.host = reinterpret_cast<void*>(address);
    // Where a program names it, it hands over what it reads there.
    registered().variables[*variable.host] = {&image, variable.name, {address, bytes}};
  }
}

struct Configuration {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
};
// A launch takes the one that was pushed last. They need no destructor, so that destructors of static objects
// can launch kernels, too.
constexpr std::size_t most_configurations = 16;
thread_local std::array<Configuration, most_configurations> configurations;
thread_local std::size_t configuration_count = 0;

// The driver knows its own handles, and follows no others.
CUfunction function_by_handle(const void* handle) {
  const auto function = static_cast<CUfunction>(const_cast<void*>(handle));
  CUfunction of_kernel = nullptr;
  CUmodule module = nullptr;
  if (cuKernelGetFunction(&of_kernel, static_cast<CUkernel>(const_cast<void*>(handle))) == CUDA_SUCCESS)
    return of_kernel;
  require(cuFuncGetModule(&module, function) == CUDA_SUCCESS,
          handle == nullptr ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidResourceHandle);
  return function;
}

}  // namespace

CUfunction function_of(const void* host) {
  const std::lock_guard lock(registered().mutex);
  const auto found = registered().kernels.find(host);
  if (found == registered().kernels.end()) return function_by_handle(host);
  Kernel& kernel = found->second;
  if (kernel.function == nullptr) {
    load(*kernel.image);
    must(cuModuleGetFunction(&kernel.function, kernel.image->module, kernel.name.c_str()));
  }
  return kernel.function;
}

CUfunction function_of_symbol(const void* host) {
  const std::lock_guard lock(registered().mutex);
  require(registered().kernels.contains(host), cudaErrorInvalidDeviceFunction);
  return function_of(host);
}

const char* registered_name(const void* host) {
  const std::lock_guard lock(registered().mutex);
  const auto found = registered().kernels.find(host);
  return found == registered().kernels.end() ? nullptr : found->second.name.c_str();
}

CUkernel kernel_of_symbol(const void* host) {
  function_of_symbol(host);
  const std::lock_guard lock(registered().mutex);
  const Kernel& known = registered().kernels.at(host);
  CUkernel kernel = nullptr;
  must(cuLibraryGetKernel(&kernel, known.image->library, known.name.c_str()));
  return kernel;
}

Symbol symbol_of(const void* host) {
  const std::lock_guard lock(registered().mutex);
  const auto found = registered().variables.find(host);
  require(found != registered().variables.end(), cudaErrorInvalidSymbol);
  Variable& variable = found->second;
  load(*variable.image);
  if (variable.place.address == 0)
    must(cuModuleGetGlobal_v2(&variable.place.address, &variable.place.bytes, variable.image->module,
                              variable.name.c_str()));
  return variable.place;
}

CUdeviceptr inside(const void* variable, size_t bytes, size_t offset) {
  const Symbol found = symbol_of(variable);
  require(offset <= found.bytes && bytes <= found.bytes - offset);
  return found.address + offset;
}

const void* host_of(CUfunction function) {
  const std::lock_guard lock(registered().mutex);
  for (const auto& [host, kernel] : registered().kernels)
    if (kernel.function == function) return host;
  return function;
}

void forget_loaded() {
  const std::lock_guard lock(registered().mutex);
  for (const auto& [handle, image] : registered().images) image->module = nullptr;
  for (auto& [host, kernel] : registered().kernels) kernel.function = nullptr;
  for (auto& [host, variable] : registered().variables) variable.place = {0, 0};
}

namespace {

Image* image_of(void** handle) {
  const auto found = registered().images.find(handle);
  return found == registered().images.end() ? nullptr : found->second.get();
}

}  // namespace

}  // namespace wedjat::runtime

using namespace wedjat::runtime;

extern "C" {

WEDJAT_EXPORT void** __cudaRegisterFatBinary(void* given) {
  const std::lock_guard lock(registered().mutex);
  auto image = std::make_unique<Image>();
  image->data = given;
  void** const handle = reinterpret_cast<void**>(image.get());
  registered().images.emplace(handle, std::move(image));
  return handle;
}

WEDJAT_EXPORT void __cudaRegisterFatBinaryEnd(void**) {}

WEDJAT_EXPORT void __cudaUnregisterFatBinary(void** handle) {
  const std::lock_guard lock(registered().mutex);
  Image* const image = image_of(handle);
  if (image == nullptr) return;
  std::erase_if(registered().kernels, [&](const auto& kernel) { return kernel.second.image == image; });
  std::erase_if(registered().variables, [&](const auto& variable) { return variable.second.image == image; });
  if (image->library != nullptr) cuLibraryUnload(image->library);
  registered().images.erase(handle);
}

WEDJAT_EXPORT void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int,
                                          void*, void*, dim3*, dim3*, int*) {
  const std::lock_guard lock(registered().mutex);
  if (Image* const image = image_of(handle)) registered().kernels[host] = {image, name};
}

WEDJAT_EXPORT void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, size_t, int,
                                     int) {
  const std::lock_guard lock(registered().mutex);
  if (Image* const image = image_of(handle)) registered().variables[host] = {image, name};
}

WEDJAT_EXPORT void __cudaRegisterManagedVar(void** handle, void** host, char*, const char* name, int, size_t,
                                            int, int) {
  const std::lock_guard lock(registered().mutex);
  Image* const image = image_of(handle);
  if (image == nullptr) return;
  image->managed.push_back({host, name});
  registered().variables[host] = {image, name};
}

// Memory of the host that device code has by name: what it is for is not public.
WEDJAT_EXPORT void __cudaRegisterHostVar(void**, const char* name, char*, size_t) { unsupported(name); }

// Before the first use of a managed variable by the host.
WEDJAT_EXPORT char __cudaInitModule(void** handle) {
  const cudaError_t result = perform([&] {
    const std::lock_guard lock(registered().mutex);
    if (Image* const image = image_of(handle)) load(*image);
    return cudaSuccess;
  });
  return result == cudaSuccess ? 1 : 0;
}

WEDJAT_EXPORT unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                                   cudaStream_t stream) {
  if (configuration_count == most_configurations) return 1;
  configurations[configuration_count++] = {grid, block, shared, stream};
  return 0;
}

WEDJAT_EXPORT cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
  if (configuration_count == 0) return remembered(cudaErrorMissingConfiguration);
  const Configuration& last = configurations[--configuration_count];
  *grid = last.grid;
  *block = last.block;
  *shared = last.shared;
  *static_cast<cudaStream_t*>(stream) = last.stream;
  return cudaSuccess;
}
}
