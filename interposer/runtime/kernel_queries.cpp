// What is asked of kernels: how many fit, what they are called, what they take.
#include "interposer/runtime/registration.h"
#include "runtime_calls.h"

namespace wedjat::runtime::calls {

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* func, int threads,
                                                          size_t shared) {
  require(blocks != nullptr);
  return as_runtime(cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function_of(func), threads, shared));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* func, int threads,
                                                                   size_t shared, unsigned flags) {
  require(blocks != nullptr);
  return as_runtime(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function_of(func), threads,
                                                                         shared, flags));
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* func, int blocks,
                                                      int threads) {
  return as_runtime(cuOccupancyAvailableDynamicSMemPerBlock(bytes, function_of(func), blocks, threads));
}

cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* func,
                                           const cudaLaunchConfig_t* config) {
  const CUlaunchConfig same = as_driver(config);
  return as_runtime(cuOccupancyMaxActiveClusters(clusters, function_of(func), &same));
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, const void* func,
                                                 const cudaLaunchConfig_t* config) {
  const CUlaunchConfig same = as_driver(config);
  return as_runtime(cuOccupancyMaxPotentialClusterSize(size, function_of(func), &same));
}

cudaError_t cudaFuncGetName(const char** name, const void* func) {
  require(name != nullptr);
  *name = registered_name(func);
  return *name != nullptr ? cudaSuccess : as_runtime(cuFuncGetName(name, function_of(func)));
}

cudaError_t cudaFuncGetParamInfo(const void* func, size_t index, size_t* offset, size_t* size) {
  return as_runtime(cuFuncGetParamInfo(function_of(func), index, offset, size));
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* symbol) {
  const CUfunction found = function_of_symbol(symbol);
  if (function != nullptr) *function = found;
  return cudaSuccess;
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute, int value,
                                            int device) {
  return as_runtime(
      cuKernelSetAttribute(static_cast<CUfunction_attribute>(attribute), value, kernel, device));
}

}  // namespace wedjat::runtime::calls
