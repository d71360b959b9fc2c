// Launches and what kernels need.
#include "interposer/runtime/registration.h"
#include "runtime_calls.h"

namespace wedjat::runtime {
namespace {

// CUDA 13 calls it an invalid value, as the driver does; 12 had a name for it.
void check_shape(dim3 grid, dim3 block) {
  const cudaError_t wrong = version < 13000 ? cudaErrorInvalidConfiguration : cudaErrorInvalidValue;
  int device = 0;
  must(cuCtxGetDevice(&device));
  const auto most = [&](CUdevice_attribute which, int axis) {
    return static_cast<unsigned>(
        attribute(cuDeviceGetAttribute, static_cast<CUdevice_attribute>(which + axis), device));
  };
  const unsigned grids[] = {grid.x, grid.y, grid.z}, blocks[] = {block.x, block.y, block.z};
  for (int axis = 0; axis < 3; ++axis) {
    require(grids[axis] != 0 && grids[axis] <= most(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, axis), wrong);
    require(blocks[axis] != 0 && blocks[axis] <= most(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, axis), wrong);
  }
  require(block.x * block.y * block.z <= most(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 0), wrong);
}

// Where a kernel has failed that is told before what is wrong with this launch.
CUfunction checked(const void* kernel, dim3 grid, dim3 block, size_t shared) {
  try {
    require(shared <= 0xffffffffu);
    check_shape(grid, block);
    return function_of(kernel);
  } catch (const Failure&) {
    must_be_unharmed();
    throw;
  }
}

cudaError_t launch(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                   cudaStream_t stream) {
  return as_runtime(cuLaunchKernel(checked(kernel, grid, block, shared), grid.x, grid.y, grid.z, block.x,
                                   block.y, block.z, static_cast<unsigned>(shared), stream, arguments,
                                   nullptr));
}

}  // namespace

// The attributes are the driver's, bit for bit.
CUlaunchConfig as_driver(const cudaLaunchConfig_t* config) {
  static_assert(sizeof(cudaLaunchAttribute) == sizeof(CUlaunchAttribute));
  require(config != nullptr && config->dynamicSmemBytes <= 0xffffffffu);
  CUlaunchConfig same{};
  set_shape(same, config->gridDim, config->blockDim);
  same.sharedMemBytes = static_cast<unsigned>(config->dynamicSmemBytes);
  same.hStream = config->stream;
  same.attrs = reinterpret_cast<CUlaunchAttribute*>(config->attrs);
  same.numAttrs = config->numAttrs;
  return same;
}

namespace calls {

cudaError_t cudaLaunchKernel(const void* func, dim3 grid, dim3 block, void** args, size_t shared,
                             cudaStream_t stream) {
  return launch(func, grid, block, args, shared, stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void* func, dim3 grid, dim3 block, void** args, size_t shared,
                                        cudaStream_t stream) {
  return as_runtime(cuLaunchCooperativeKernel(checked(func, grid, block, shared), grid.x, grid.y, grid.z,
                                              block.x, block.y, block.z, static_cast<unsigned>(shared),
                                              stream, args));
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* func, void** args) {
  const CUlaunchConfig same = as_driver(config);
  return as_runtime(cuLaunchKernelEx(&same, function_of(func), args, nullptr));
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attr, const void* func) {
  require(attr != nullptr);
  const CUfunction function = function_of(func);
  cudaFuncAttributes told{};
  const auto number = [&](CUfunction_attribute which) {
    return attribute(cuFuncGetAttribute, which, function);
  };
  const auto bytes = [&](CUfunction_attribute which) { return static_cast<size_t>(number(which)); };
  told.sharedSizeBytes = bytes(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  told.constSizeBytes = bytes(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
  told.localSizeBytes = bytes(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  told.maxThreadsPerBlock = number(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  told.numRegs = number(CU_FUNC_ATTRIBUTE_NUM_REGS);
  told.ptxVersion = number(CU_FUNC_ATTRIBUTE_PTX_VERSION);
  told.binaryVersion = number(CU_FUNC_ATTRIBUTE_BINARY_VERSION);
  told.cacheModeCA = number(CU_FUNC_ATTRIBUTE_CACHE_MODE_CA);
  told.maxDynamicSharedSizeBytes = number(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
  told.preferredShmemCarveout = number(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);
  told.clusterDimMustBeSet = number(CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET);
  told.requiredClusterWidth = number(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH);
  told.requiredClusterHeight = number(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT);
  told.requiredClusterDepth = number(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH);
  told.nonPortableClusterSizeAllowed = number(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);
  told.clusterSchedulingPolicyPreference = number(CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE);
  *attr = told;
  return cudaSuccess;
}

cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* host) {
  require(kernel != nullptr);
  *kernel = kernel_of_symbol(host);
  return cudaSuccess;
}

// They have the driver's numbers.
cudaError_t cudaFuncSetAttribute(const void* func, cudaFuncAttribute attr, int value) {
  return as_runtime(cuFuncSetAttribute(function_of(func), static_cast<CUfunction_attribute>(attr), value));
}

cudaError_t cudaFuncSetSharedMemConfig(const void* func, cudaSharedMemConfig config) {
  return as_runtime(cuFuncSetSharedMemConfig(function_of(func), static_cast<CUsharedconfig>(config)));
}

cudaError_t cudaFuncSetCacheConfig(const void* func, cudaFuncCache config) {
  return as_runtime(cuFuncSetCacheConfig(function_of(func), static_cast<CUfunc_cache>(config)));
}

}  // namespace calls
}  // namespace wedjat::runtime

using namespace wedjat::runtime;

extern "C" {

// The handle that nvcc's code launches by is the address that the kernel was registered by: it is found again
// when it is launched.
WEDJAT_EXPORT cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host) {
  if (kernel == nullptr) return remembered(cudaErrorInvalidValue);
  *kernel = static_cast<cudaKernel_t>(const_cast<void*>(host));
  return cudaSuccess;
}

WEDJAT_EXPORT cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** args,
                                             size_t shared, cudaStream_t stream) {
  return perform([&] { return launch(kernel, grid, block, args, shared, stream); });
}

WEDJAT_EXPORT cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void** args,
                                                  size_t shared, cudaStream_t stream) {
  return perform([&] { return launch(kernel, grid, block, args, shared, own_stream(stream)); });
}
}
