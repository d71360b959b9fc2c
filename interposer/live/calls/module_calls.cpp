// Modules and libraries.
#include <algorithm>
#include <span>

#include "emulator/ptx/text/error.h"
#include "interposer/live/work/modules.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

CUlib_st& library_at(CUlibrary handle) { return driver().libraries.at(handle, CUDA_ERROR_INVALID_HANDLE); }

std::vector<std::string> names_in(const CUmod_st& module) {
  return module.context->device.kernels(module.module);
}

void give_global(CUdeviceptr* address, std::size_t* bytes, const CUmod_st& module, const char* name) {
  require(address != nullptr || bytes != nullptr);
  const auto names = names_in(module);
  require(std::ranges::find(names, name) == names.end());  // a kernel's
  const auto variable = module.context->device.variable(module.module, name);
  if (!variable) fail(CUDA_ERROR_NOT_FOUND);
  if (address != nullptr) *address = variable->address;
  if (bytes != nullptr) *bytes = variable->size;
}

// Whatever is no code is a library too, until something of it is asked for.
template <class CodeOf>
void add_library(CUlibrary* library, const CodeOf& code_of) {
  auto made = std::make_unique<CUlib_st>();
  try {
    made->code = code_of();
  } catch (const Failure& failure) {
    if (failure.code != CUDA_ERROR_INVALID_IMAGE) throw;
    made->failure = failure;
  }
  *library = driver().libraries.add(std::move(made));
}

}  // namespace

void cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned count, CUjit_option* options,
                        void** values) {
  require(count == 0 || (options != nullptr && values != nullptr));
  for (const CUjit_option option : std::span(options, count)) require(option < CU_JIT_NUM_OPTIONS);
  const JitOptions given{count, options, values};
  *module = &load(context(), code_of(image, given), given);
}

void cuModuleLoadData(CUmodule* module, const void* image) {
  cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}
void cuModuleLoadFatBinary(CUmodule* module, const void* image) { cuModuleLoadData(module, image); }
void cuModuleLoad(CUmodule* module, const char* path) {
  *module = &load(context(), code_of_file(path, {}), {});
}

void cuModuleUnload(CUmodule handle) {
  CUmod_st& module = module_at(handle);
  require(module.library == nullptr, CUDA_ERROR_NOT_PERMITTED);
  unload(module);
}

void cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) { *mode = CU_MODULE_LAZY_LOADING; }

void cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  require(*name != '\0');
  *function = &function_of(module_at(module), name);
}

void cuModuleGetFunctionCount(unsigned* count, CUmodule module) {
  *count = static_cast<unsigned>(names_in(module_at(module)).size());
}

void cuModuleEnumerateFunctions(CUfunction* functions, unsigned room, CUmodule handle) {
  CUmod_st& module = module_at(handle);
  require(functions != nullptr);
  for (const std::string& name : names_in(module)) {
    if (room-- == 0) return;
    *functions++ = &function_of(module, name);
  }
}

void cuModuleGetGlobal(CUdeviceptr* address, std::size_t* bytes, CUmodule module, const char* name) {
  give_global(address, bytes, module_at(module), name);
}

void cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option* options, void** values,
                       unsigned count, CUlibraryOption*, void**, unsigned) {
  require(count == 0 || (options != nullptr && values != nullptr));
  require(code != nullptr);
  add_library(library, [&] { return code_of(code, {count, options, values}); });
}

void cuLibraryLoadFromFile(CUlibrary* library, const char* path, CUjit_option* options, void** values,
                           unsigned count, CUlibraryOption*, void**, unsigned) {
  require(count == 0 || (options != nullptr && values != nullptr));
  add_library(library, [&] { return code_of_file(path, {count, options, values}); });
}

void cuLibraryUnload(CUlibrary handle) {
  CUlib_st& library = library_at(handle);
  for (const auto& [where, module] : library.instances)
    if (module != nullptr) unload(*module);
  for (const auto& [name, kernel] : library.kernels) driver().kernels.drop(kernel);
  driver().libraries.drop(&library);
}

void cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
  *kernel = &kernel_of(library_at(library), name);
}

void cuLibraryGetKernelCount(unsigned* count, CUlibrary library) {
  CUlib_st& known = library_at(library);
  *count = 0;
  try {
    *count = static_cast<unsigned>(names_in(instance(known)).size());
  } catch (const ptx::Error&) {
    // One that is wrong has none.
  } catch (const Failure&) {
    // Likewise.
  }
}

void cuLibraryEnumerateKernels(CUkernel* kernels, unsigned room, CUlibrary handle) {
  CUlib_st& library = library_at(handle);
  require(kernels != nullptr || room == 0);
  for (const std::string& name : names_in(instance(library))) {
    if (room-- == 0) return;
    *kernels++ = &kernel_of(library, name);
  }
}

void cuLibraryGetModule(CUmodule* module, CUlibrary library) { *module = &instance(library_at(library)); }

void cuLibraryGetGlobal(CUdeviceptr* address, std::size_t* bytes, CUlibrary library, const char* name) {
  give_global(address, bytes, instance(library_at(library)), name);
}

void cuLibraryGetManaged(CUdeviceptr* address, std::size_t* bytes, CUlibrary library, const char* name) {
  CUdeviceptr found = 0;
  std::size_t size = 0;
  give_global(&found, &size, instance(library_at(library)), name);
  const Allocation* const memory = driver().memory.starting(found);
  if (memory == nullptr || memory->kind != MemoryKind::managed) fail(CUDA_ERROR_NOT_FOUND);
  if (address != nullptr) *address = found;
  if (bytes != nullptr) *bytes = size;
}

}  // namespace wedjat::live::calls
