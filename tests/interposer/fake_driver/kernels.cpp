#include <atomic>
#include <cstring>
#include <string>
#include <thread>

#include "tests/interposer/fake_driver/fake.h"

namespace {

template <typename T>
T parameter(const std::byte* parameters, size_t offset) {
  T value;
  std::memcpy(&value, parameters + offset, sizeof value);
  return value;
}

// increment(unsigned* data, unsigned count): every thread adds one to its element.
void increment(const std::byte* parameters, unsigned threads) {
  auto* data = static_cast<unsigned*>(fake::device_view(parameter<void*>(parameters, 0)));
  const auto count = parameter<unsigned>(parameters, 8);
  for (unsigned i = 0; i < threads && i < count; ++i) ++data[i];
}

// late(const bool* open, unsigned* data): the driver takes the launch when the host opens it.
void wait_until_open(const std::byte* parameters) {
  const auto* open = parameter<const std::atomic<bool>*>(parameters, 0);
  while (!open->load()) std::this_thread::yield();
}
void late(const std::byte* parameters, unsigned) {
  ++*static_cast<unsigned*>(fake::device_view(parameter<void*>(parameters, 8)));
}

const std::vector<fake::Kernel>& kernels() {
  static const auto& all = *new std::vector<fake::Kernel>{{"increment", {{0, 8}, {8, 4}}, increment},
                                                          {"late", {{0, 8}, {8, 8}}, late},
                                                          {"nothing", {}, [](const std::byte*, unsigned) {}},
                                                          {"endless", {}, [](const std::byte*, unsigned) {}}};
  return all;
}

CUresult parameter_info(const void* handle, size_t index, size_t* offset, size_t* size) {
  const auto& list = fake::kernel(handle).parameters;
  if (index >= list.size()) return CUDA_ERROR_INVALID_VALUE;
  *offset = list[index].offset;
  *size = list[index].size;
  return CUDA_SUCCESS;
}

}  // namespace

const fake::Kernel* fake::find_kernel(const char* name) {
  for (const Kernel& kernel : kernels()) {
    if (std::string(name) == kernel.name) return &kernel;
  }
  return nullptr;
}

FAKE CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return *module = static_cast<CUmodule>(const_cast<void*>(image)), CUDA_SUCCESS;
}
FAKE CUresult cuModuleUnload(CUmodule) { return CUDA_SUCCESS; }
FAKE CUresult cuModuleGetFunction(CUfunction* function, CUmodule, const char* name) {
  *function = reinterpret_cast<CUfunction>(const_cast<fake::Kernel*>(fake::find_kernel(name)));
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
FAKE CUresult cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option*, void**, unsigned,
                                CUlibraryOption*, void**, unsigned) {
  return *library = static_cast<CUlibrary>(const_cast<void*>(code)), CUDA_SUCCESS;
}
FAKE CUresult cuLibraryUnload(CUlibrary) { return CUDA_SUCCESS; }
FAKE CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary, const char* name) {
  *kernel = reinterpret_cast<CUkernel>(const_cast<fake::Kernel*>(fake::find_kernel(name)));
  return *kernel ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
FAKE CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction) {
  if (attribute != CU_FUNC_ATTRIBUTE_NUM_REGS) return CUDA_ERROR_INVALID_VALUE;
  return *value = 24, CUDA_SUCCESS;
}
FAKE CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t* offset, size_t* size) {
  return parameter_info(function, index, offset, size);
}
FAKE CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t* offset, size_t* size) {
  return parameter_info(kernel, index, offset, size);
}
FAKE CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned, unsigned, unsigned block_x,
                             unsigned, unsigned, unsigned, CUstream stream, void** parameters, void**) {
  const fake::Kernel& kernel = fake::kernel(function);
  fake::endless_work = fake::endless_work || std::string(kernel.name) == "endless";
  std::vector<std::byte> packed(64);
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    std::memcpy(packed.data() + kernel.parameters[i].offset, parameters[i], kernel.parameters[i].size);
  }
  if (std::string(kernel.name) == "late") wait_until_open(packed.data());
  fake::enqueue(stream,
                [&kernel, packed, threads = grid_x * block_x] { kernel.body(packed.data(), threads); });
  return CUDA_SUCCESS;
}
