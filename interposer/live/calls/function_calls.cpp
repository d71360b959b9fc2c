// What is known of kernels.
#include "interposer/live/work/modules.h"
#include "interposer/live/work/residence.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

CUkern_st& kernel_at(CUkernel handle) { return driver().kernels.at(handle, CUDA_ERROR_INVALID_HANDLE); }
// A CUkernel does not stand for a CUfunction where something is asked of it.
CUfunc_st& asked(CUfunction handle) { return driver().functions.at(handle, CUDA_ERROR_INVALID_HANDLE); }
CUfunc_st& here(CUkernel handle) { return function_at(reinterpret_cast<CUfunction>(&kernel_at(handle))); }

void give_parameter(const CUfunc_st& function, std::size_t index, std::size_t* offset, std::size_t* size) {
  require(index < function.parameters.size());
  *offset = function.parameters[index].offset;
  if (size != nullptr) *size = function.parameters[index].size;
}

int limit(int attribute) { return profile().attributes.at(attribute); }

// Registers are those that a compiler could choose at most: PTX does not say how many it takes.
int registers_of(const CUfunc_st& function, const device::Needs& needs) {
  constexpr int most_of_a_thread = 255;
  const int of_block =
      limit(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK) / static_cast<int>(needs.most_threads);
  const int asked = function.module->most_registers;
  return std::min({most_of_a_thread, of_block / 8 * 8, asked > 0 ? asked : most_of_a_thread});
}

int attribute_of(CUfunc_st& function, CUfunction_attribute attribute) {
  const device::Needs& needs = needs_of(function);
  const auto set = function.attributes.find(static_cast<int>(attribute));
  const bool is_set = set != function.attributes.end();
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      return static_cast<int>(needs.most_threads);
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      return static_cast<int>(needs.declared_shared_bytes);
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      return static_cast<int>(needs.constant_bytes);
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      return static_cast<int>(needs.local_bytes.value_or(0));
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      return registers_of(function, needs);
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      return 90;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      return static_cast<int>(most_dynamic_shared(function));
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      return is_set ? set->second : -1;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
      return needs.cluster ? 1 : 0;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
      if (needs.cluster)
        return static_cast<int>((*needs.cluster)[attribute - CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH]);
      return is_set ? set->second : 0;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
      return is_set ? set->second : 0;
    default:
      fail(CUDA_ERROR_INVALID_VALUE);
  }
}

void check_setting(CUfunc_st& function, CUfunction_attribute attribute, int value) {
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      return require(value >= 0 && value + static_cast<int>(needs_of(function).declared_shared_bytes) <=
                                       limit(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      return require(value >= -1 && value <= 100);
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
      return require(value >= 0 && !needs_of(function).cluster);
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
      return require(value == 0 || value == 1);
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
      return require(value >= 0 && value <= 2);
    default:
      fail(CUDA_ERROR_INVALID_VALUE);
  }
}

}  // namespace

void cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  *value = attribute_of(asked(function), attribute);
}

void cuFuncSetAttribute(CUfunction handle, CUfunction_attribute attribute, int value) {
  CUfunc_st& function = asked(handle);
  check_setting(function, attribute, value);
  function.attributes[static_cast<int>(attribute)] = value;
}

// How the first-level cache is parted changes no result.
void cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
  asked(function);
  require(config >= CU_FUNC_CACHE_PREFER_NONE && config <= CU_FUNC_CACHE_PREFER_EQUAL);
}
void cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig) { function_at(function); }

void cuFuncGetModule(CUmodule* module, CUfunction function) { *module = asked(function).module; }
void cuFuncGetName(const char** name, CUfunction function) { *name = asked(function).name.c_str(); }

void cuFuncGetParamInfo(CUfunction function, std::size_t index, std::size_t* offset, std::size_t* size) {
  give_parameter(asked(function), index, offset, size);
}

void cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction function) {
  *state = asked(function).needs ? CU_FUNCTION_LOADING_STATE_LOADED : CU_FUNCTION_LOADING_STATE_UNLOADED;
}

void cuFuncLoad(CUfunction function) { needs_of(asked(function)); }

void cuKernelGetFunction(CUfunction* function, CUkernel kernel) { *function = &here(kernel); }
void cuKernelGetLibrary(CUlibrary* library, CUkernel kernel) { *library = kernel_at(kernel).library; }
void cuKernelGetName(const char** name, CUkernel kernel) { *name = kernel_at(kernel).name.c_str(); }

void cuKernelGetParamInfo(CUkernel kernel, std::size_t index, std::size_t* offset, std::size_t* size) {
  give_parameter(here(kernel), index, offset, size);
}

void cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device) {
  require(device == 0, CUDA_ERROR_INVALID_DEVICE);
  *value = attribute_of(here(kernel), attribute);
}

void cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device) {
  require(device == 0, CUDA_ERROR_INVALID_DEVICE);
  CUfunc_st& function = here(kernel);
  check_setting(function, attribute, value);
  function.attributes[static_cast<int>(attribute)] =
      kernel_at(kernel).attributes[static_cast<int>(attribute)] = value;
}

void cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache, CUdevice device) {
  require(device == 0, CUDA_ERROR_INVALID_DEVICE);
  kernel_at(kernel);
}

}  // namespace wedjat::live::calls
