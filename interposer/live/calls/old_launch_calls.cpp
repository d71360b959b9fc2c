// Launches as they were before cuLaunchKernel: what a launch needs is set before, piece by piece.
#include <cstring>
#include <limits>

#include "interposer/live/state/streams.h"
#include "interposer/live/work/kernels.h"
#include "interposer/shim/driver/of_this_thread.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

constexpr std::size_t most_parameters = 4096;  // bytes

void put(CUfunction handle, int offset, const void* bytes, std::size_t count) {
  CUfunc_st& function = function_at(handle);
  require(bytes != nullptr && offset >= 0 && static_cast<std::size_t>(offset) + count <= most_parameters);
  auto& buffer = function.prepared.parameters;
  buffer.resize(std::max(buffer.size(), static_cast<std::size_t>(offset) + count));
  std::memcpy(buffer.data() + offset, bytes, count);
}

void launch(CUfunction handle, int width, int height, CUstream stream) {
  CUfunc_st& function = function_at(handle);
  PreparedLaunch& prepared = function.prepared;
  const int highest = profile().attributes.at(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y);
  require(width > 0 && height > 0 && height <= highest);
  stream_of(stream);
  // More than the kernel takes is too much; what is left out is zero.
  require(prepared.parameter_bytes <= function.parameter_bytes, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
  prepared.parameters.resize(std::max(prepared.parameters.size(), function.parameter_bytes));
  std::size_t size = function.parameter_bytes;
  constexpr std::uintptr_t end = 0, pointer = 1, length = 2;  // CU_LAUNCH_PARAM_*
  void* extra[] = {reinterpret_cast<void*>(pointer), prepared.parameters.data(),
                   reinterpret_cast<void*>(length), &size, reinterpret_cast<void*>(end)};
  cuLaunchKernel(handle, static_cast<unsigned>(width), static_cast<unsigned>(height), 1, prepared.block[0],
                 prepared.block[1], prepared.block[2], prepared.shared_bytes, stream, nullptr, extra);
}

}  // namespace

void cuFuncSetBlockShape(CUfunction handle, int x, int y, int z) {
  CUfunc_st& function = function_at(handle);
  require(x > 0 && y > 0 && z > 0 && z <= profile().attributes.at(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z));
  require(std::int64_t{x} * y * z <= needs_of(function).most_threads);
  function.prepared.block[0] = static_cast<unsigned>(x);
  function.prepared.block[1] = static_cast<unsigned>(y);
  function.prepared.block[2] = static_cast<unsigned>(z);
}

void cuFuncSetSharedSize(CUfunction function, unsigned bytes) {
  const int most = profile().attributes.at(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  require(bytes <= static_cast<unsigned>(most));
  function_at(function).prepared.shared_bytes = bytes;
}

void cuParamSetSize(CUfunction function, unsigned bytes) {
  require(bytes <= most_parameters);
  function_at(function).prepared.parameter_bytes = bytes;
}

void cuParamSeti(CUfunction function, int offset, unsigned value) {
  put(function, offset, &value, sizeof value);
}
void cuParamSetf(CUfunction function, int offset, float value) {
  put(function, offset, &value, sizeof value);
}
void cuParamSetv(CUfunction function, int offset, void* bytes, unsigned count) {
  put(function, offset, bytes, count);
}

// A kernel finds the references of its module by itself.
void cuParamSetTexRef(CUfunction function, int unit, CUtexref reference) {
  constexpr int any = -1;  // CU_PARAM_TR_DEFAULT
  const CUmodule module = function_at(function).module;
  require(driver().texture_references.at(reference, CUDA_ERROR_INVALID_HANDLE).module == module &&
          unit == any);
}

void cuLaunch(CUfunction function) { launch(function, 1, 1, nullptr); }
void cuLaunchGrid(CUfunction function, int width, int height) { launch(function, width, height, nullptr); }
void cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream) {
  launch(function, width, height, stream);
}

}  // namespace wedjat::live::calls
