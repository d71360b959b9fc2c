// What libcudart.so.12 has in another form than libcudart.so.13: structs that grew since, and a call that
// did.
#include <cstddef>
#include <cstring>

#include "interposer/runtime/registration.h"
#include "runtime_12_calls.h"
#include "runtime_calls.h"

namespace wedjat::runtime::calls {
namespace {

// Both begin alike; what came later is zero, as the headers want it.
template <class Newer, class Older>
Newer newer(const Older* older) {
  static_assert(sizeof(Older) < sizeof(Newer));
  require(older != nullptr);
  Newer same{};
  std::memcpy(static_cast<void*>(&same), older, sizeof *older);
  return same;
}

template <class Older, class Newer, class Ask>
cudaError_t ask_newer(Older* older, const Ask& ask) {
  static_assert(sizeof(Older) < sizeof(Newer));
  require(older != nullptr);
  Newer told{};
  const cudaError_t error = ask(&told);
  if (error == cudaSuccess) std::memcpy(older, &told, sizeof *older);
  return error;
}

struct Removed {
  int cudaDeviceProp12::*to;
  CUdevice_attribute from;
};
constexpr Removed removed[] = {
    {&cudaDeviceProp12::clockRate, CU_DEVICE_ATTRIBUTE_CLOCK_RATE},
    {&cudaDeviceProp12::deviceOverlap, CU_DEVICE_ATTRIBUTE_GPU_OVERLAP},
    {&cudaDeviceProp12::kernelExecTimeoutEnabled, CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT},
    {&cudaDeviceProp12::computeMode, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE},
    {&cudaDeviceProp12::maxTexture1DLinear, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH},
    {&cudaDeviceProp12::memoryClockRate, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE},
    {&cudaDeviceProp12::singleToDoublePrecisionPerfRatio,
     CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO},
    {&cudaDeviceProp12::cooperativeMultiDeviceLaunch, CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH}};

}  // namespace

cudaError_t cudaGetDeviceProperties_v2(cudaDeviceProp12* older, int device) {
  require(older != nullptr);
  cudaDeviceProp told{};
  if (const cudaError_t error = cudaGetDeviceProperties(&told, device); error != cudaSuccess) return error;
  cudaDeviceProp12 same{};
#define WEDJAT_MEMBER(name) std::memcpy(&same.name, &told.name, sizeof same.name);
#include "members_12.inc"
#undef WEDJAT_MEMBER
  for (const Removed& one : removed) same.*one.to = attribute(cuDeviceGetAttribute, one.from, device);
  *older = same;
  return cudaSuccess;
}

// The struct of CUDA 11 ends here.
cudaError_t cudaGetDeviceProperties(cudaDeviceProp12* older, int device) {
  require(older != nullptr);
  cudaDeviceProp12 told{};
  if (const cudaError_t error = cudaGetDeviceProperties_v2(&told, device); error != cudaSuccess) return error;
  std::memcpy(older, &told, offsetof(cudaDeviceProp12, hostRegisterSupported));
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes12* older, const void* pointer) {
  return ask_newer<cudaPointerAttributes12, cudaPointerAttributes>(
      older, [&](cudaPointerAttributes* told) { return cudaPointerGetAttributes(told, pointer); });
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc12* resource,
                                    const cudaTextureDesc* description, const cudaResourceViewDesc12* view) {
  const auto of = newer<cudaResourceDesc>(resource);
  if (view == nullptr)
    return cudaCreateTextureObject(texture, &of, description,
                                   static_cast<const cudaResourceViewDesc*>(nullptr));
  const auto seen = newer<cudaResourceViewDesc>(view);
  return cudaCreateTextureObject(texture, &of, description, &seen);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, const cudaResourceDesc12* resource) {
  const auto of = newer<cudaResourceDesc>(resource);
  return cudaCreateSurfaceObject(surface, &of);
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc12* older, cudaTextureObject_t texture) {
  return ask_newer<cudaResourceDesc12, cudaResourceDesc>(
      older, [&](cudaResourceDesc* told) { return cudaGetTextureObjectResourceDesc(told, texture); });
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc12* older, cudaSurfaceObject_t surface) {
  return ask_newer<cudaResourceDesc12, cudaResourceDesc>(
      older, [&](cudaResourceDesc* told) { return cudaGetSurfaceObjectResourceDesc(told, surface); });
}

cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc12* older, cudaTextureObject_t texture) {
  return ask_newer<cudaResourceViewDesc12, CUDA_RESOURCE_VIEW_DESC>(
      older, [&](CUDA_RESOURCE_VIEW_DESC* told) {
        return as_runtime(cuTexObjectGetResourceViewDesc(told, texture));
      });
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* after,
                             size_t count, cudaGraphNodeParams* node) {
  return cudaGraphAddNode(made, graph, after, nullptr, count, node);
}

cudaError_t cudaSetDoubleForDevice(double*) { return cudaSuccess; }
cudaError_t cudaSetDoubleForHost(double*) { return cudaSuccess; }

cudaError_t cudaThreadExit() { return cudaDeviceReset(); }

}  // namespace wedjat::runtime::calls
