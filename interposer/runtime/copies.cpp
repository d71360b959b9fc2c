// Copies and fills: addresses say which side a pointer belongs to. Where managed memory should lie.
#include "interposer/runtime/boxes.h"
#include "runtime_calls.h"

namespace wedjat::runtime {
namespace {

CUdeviceptr address(const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

CUDA_MEMCPY2D box(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                  cudaMemcpyKind kind) {
  check_direction(kind);
  require(width <= dpitch && width <= spitch, cudaErrorInvalidPitchValue);
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  copy.srcDevice = address(src);
  copy.srcPitch = spitch;
  copy.dstDevice = address(dst);
  copy.dstPitch = dpitch;
  copy.WidthInBytes = width;
  copy.Height = height;
  return copy;
}

// There is one device.
void check_devices(int first, int second) { require(first == 0 && second == 0, cudaErrorInvalidDevice); }

CUmemLocation memory_location(const cudaMemLocation& location) {
  CUmemLocation same{};
  same.type = static_cast<CUmemLocationType>(location.type);
  same.id = location.id;
  return same;
}

}  // namespace

namespace calls {

cudaError_t cudaMemcpy(void* dst, const void* src, size_t count, cudaMemcpyKind kind) {
  check_direction(kind);
  if (count == 0) return cudaSuccess;
  switch (kind) {
    case cudaMemcpyHostToDevice:
      return as_runtime(cuMemcpyHtoD_v2(address(dst), src, count));
    case cudaMemcpyDeviceToHost:
      return as_runtime(cuMemcpyDtoH_v2(dst, address(src), count));
    case cudaMemcpyDeviceToDevice:
      return as_runtime(cuMemcpyDtoD_v2(address(dst), address(src), count));
    default:
      return as_runtime(cuMemcpy(address(dst), address(src), count));
  }
}

cudaError_t cudaMemcpyAsync(void* dst, const void* src, size_t count, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  check_direction(kind);
  if (count == 0) return cudaSuccess;
  switch (kind) {
    case cudaMemcpyHostToDevice:
      return as_runtime(cuMemcpyHtoDAsync_v2(address(dst), src, count, stream));
    case cudaMemcpyDeviceToHost:
      return as_runtime(cuMemcpyDtoHAsync_v2(dst, address(src), count, stream));
    case cudaMemcpyDeviceToDevice:
      return as_runtime(cuMemcpyDtoDAsync_v2(address(dst), address(src), count, stream));
    default:
      return as_runtime(cuMemcpyAsync(address(dst), address(src), count, stream));
  }
}

cudaError_t cudaMemcpy2D(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                         size_t height, cudaMemcpyKind kind) {
  const CUDA_MEMCPY2D copy = box(dst, dpitch, src, spitch, width, height, kind);
  return width == 0 || height == 0 ? cudaSuccess : as_runtime(cuMemcpy2DUnaligned_v2(&copy));
}

cudaError_t cudaMemcpy2DAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  const CUDA_MEMCPY2D copy = box(dst, dpitch, src, spitch, width, height, kind);
  return width == 0 || height == 0 ? cudaSuccess : as_runtime(cuMemcpy2DAsync_v2(&copy, stream));
}

cudaError_t cudaMemcpyPeer(void* dst, int dstDevice, const void* src, int srcDevice, size_t count) {
  check_devices(dstDevice, srcDevice);
  return cudaMemcpy(dst, src, count, cudaMemcpyDefault);
}

cudaError_t cudaMemcpyPeerAsync(void* dst, int dstDevice, const void* src, int srcDevice, size_t count,
                                cudaStream_t stream) {
  check_devices(dstDevice, srcDevice);
  return cudaMemcpyAsync(dst, src, count, cudaMemcpyDefault, stream);
}

cudaError_t cudaMemAdvise(const void* devPtr, size_t count, cudaMemoryAdvise advice,
                          cudaMemLocation location) {
  return as_runtime(
      cuMemAdvise_v2(address(devPtr), count, static_cast<CUmem_advise>(advice), memory_location(location)));
}

cudaError_t cudaMemPrefetchAsync(const void* devPtr, size_t count, cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream) {
  return as_runtime(cuMemPrefetchAsync_v2(address(devPtr), count, memory_location(location), flags, stream));
}

cudaError_t cudaMemset(void* devPtr, int value, size_t count) {
  if (count == 0) return cudaSuccess;
  return as_runtime(cuMemsetD8_v2(address(devPtr), static_cast<unsigned char>(value), count));
}

cudaError_t cudaMemsetAsync(void* devPtr, int value, size_t count, cudaStream_t stream) {
  if (count == 0) return cudaSuccess;
  return as_runtime(cuMemsetD8Async(address(devPtr), static_cast<unsigned char>(value), count, stream));
}

cudaError_t cudaMemset2D(void* devPtr, size_t pitch, int value, size_t width, size_t height) {
  if (width == 0 || height == 0) return cudaSuccess;
  return as_runtime(
      cuMemsetD2D8_v2(address(devPtr), pitch, static_cast<unsigned char>(value), width, height));
}

cudaError_t cudaMemset2DAsync(void* devPtr, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  if (width == 0 || height == 0) return cudaSuccess;
  return as_runtime(
      cuMemsetD2D8Async(address(devPtr), pitch, static_cast<unsigned char>(value), width, height, stream));
}

cudaError_t cudaMallocPitch(void** devPtr, size_t* pitch, size_t width, size_t height) {
  require(devPtr != nullptr && pitch != nullptr);
  if (width == 0 || height == 0) {  // as cudaMalloc
    *devPtr = nullptr;
    *pitch = 0;
    return cudaSuccess;
  }
  return as_runtime(cuMemAllocPitch_v2(reinterpret_cast<CUdeviceptr*>(devPtr), pitch, width, height, 4));
}

// Of no bytes there is no memory, and that is no error, as it is for the driver.
cudaError_t cudaMalloc(void** devPtr, size_t size) {
  require(devPtr != nullptr);
  if (size != 0) return as_runtime(cuMemAlloc_v2(reinterpret_cast<CUdeviceptr*>(devPtr), size));
  *devPtr = nullptr;
  return cudaSuccess;
}

cudaError_t cudaMallocManaged(void** devPtr, size_t size, unsigned int flags) {
  require(devPtr != nullptr);
  if (size != 0) return as_runtime(cuMemAllocManaged(reinterpret_cast<CUdeviceptr*>(devPtr), size, flags));
  *devPtr = nullptr;
  return cudaSuccess;
}

// NULL is well.
cudaError_t cudaFree(void* devPtr) { return as_runtime(cuMemFree_v2(address(devPtr))); }
cudaError_t cudaFreeHost(void* ptr) { return as_runtime(cuMemFreeHost(ptr)); }

}  // namespace calls
}  // namespace wedjat::runtime
