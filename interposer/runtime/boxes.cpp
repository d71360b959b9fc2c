#include "interposer/runtime/boxes.h"

#include "interposer/runtime/arrays.h"
#include "runtime_calls.h"

namespace wedjat::runtime {

void check_direction(cudaMemcpyKind kind) {
  require(kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault, cudaErrorInvalidMemcpyDirection);
}

namespace {

// The driver names the members of both sides apart.
struct Side {
  CUmemorytype CUDA_MEMCPY3D::*type;
  CUdeviceptr CUDA_MEMCPY3D::*address;
  CUarray CUDA_MEMCPY3D::*array;
  size_t CUDA_MEMCPY3D::*x, CUDA_MEMCPY3D::*y, CUDA_MEMCPY3D::*z;
  size_t CUDA_MEMCPY3D::*pitch, CUDA_MEMCPY3D::*height;
};
constexpr Side source{&CUDA_MEMCPY3D::srcMemoryType, &CUDA_MEMCPY3D::srcDevice, &CUDA_MEMCPY3D::srcArray,
                      &CUDA_MEMCPY3D::srcXInBytes,   &CUDA_MEMCPY3D::srcY,      &CUDA_MEMCPY3D::srcZ,
                      &CUDA_MEMCPY3D::srcPitch,      &CUDA_MEMCPY3D::srcHeight};
constexpr Side target{&CUDA_MEMCPY3D::dstMemoryType, &CUDA_MEMCPY3D::dstDevice, &CUDA_MEMCPY3D::dstArray,
                      &CUDA_MEMCPY3D::dstXInBytes,   &CUDA_MEMCPY3D::dstY,      &CUDA_MEMCPY3D::dstZ,
                      &CUDA_MEMCPY3D::dstPitch,      &CUDA_MEMCPY3D::dstHeight};

void set_side(CUDA_MEMCPY3D& copy, const Side& side, cudaArray_t array, const cudaPos& at,
              const cudaPitchedPtr& rows) {
  require((array == nullptr) != (rows.ptr == nullptr));
  copy.*side.x = at.x * (array != nullptr ? texel_bytes(array) : 1);
  copy.*side.y = at.y;
  copy.*side.z = at.z;
  if (array != nullptr) {
    copy.*side.type = CU_MEMORYTYPE_ARRAY;
    copy.*side.array = as_driver(array);
    return;
  }
  copy.*side.type = CU_MEMORYTYPE_UNIFIED;
  copy.*side.address = reinterpret_cast<CUdeviceptr>(rows.ptr);
  copy.*side.pitch = rows.pitch;
  copy.*side.height = rows.ysize;
}

void tell_side(const CUDA_MEMCPY3D& copy, const Side& side, const void* host, cudaArray_t& array, cudaPos& at,
               cudaPitchedPtr& rows) {
  at = {copy.*side.x, copy.*side.y, copy.*side.z};
  if (copy.*side.type == CU_MEMORYTYPE_ARRAY) {
    array = reinterpret_cast<cudaArray_t>(copy.*side.array);
    at.x /= texel_bytes(array);
    return;
  }
  rows.ptr = copy.*side.type == CU_MEMORYTYPE_HOST ? const_cast<void*>(host)
                                                   : reinterpret_cast<void*>(copy.*side.address);
  rows.pitch = copy.*side.pitch;
  rows.xsize = copy.WidthInBytes;
  rows.ysize = copy.*side.height;
}

cudaMemcpyKind direction(CUmemorytype from, CUmemorytype to) {
  if (from == CU_MEMORYTYPE_UNIFIED || to == CU_MEMORYTYPE_UNIFIED) return cudaMemcpyDefault;
  const bool from_host = from == CU_MEMORYTYPE_HOST, to_host = to == CU_MEMORYTYPE_HOST;
  if (from_host) return to_host ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
  return to_host ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
}

}  // namespace

CUDA_MEMCPY3D as_driver(const cudaMemcpy3DParms* given) {
  require(given != nullptr);
  check_direction(given->kind);
  CUDA_MEMCPY3D copy{};
  set_side(copy, source, given->srcArray, given->srcPos, given->srcPtr);
  set_side(copy, target, given->dstArray, given->dstPos, given->dstPtr);
  size_t element = 1;
  if (given->srcArray != nullptr) element = texel_bytes(given->srcArray);
  if (given->dstArray != nullptr) {
    const size_t other = texel_bytes(given->dstArray);
    require(given->srcArray == nullptr || other == element);
    element = other;
  }
  copy.WidthInBytes = given->extent.width * element;
  copy.Height = given->extent.height;
  copy.Depth = given->extent.depth;
  return copy;
}

cudaMemcpy3DParms as_runtime(const CUDA_MEMCPY3D& copy) {
  cudaMemcpy3DParms told{};
  tell_side(copy, source, copy.srcHost, told.srcArray, told.srcPos, told.srcPtr);
  tell_side(copy, target, copy.dstHost, told.dstArray, told.dstPos, told.dstPtr);
  const cudaArray_t array = told.srcArray != nullptr ? told.srcArray : told.dstArray;
  told.extent = {copy.WidthInBytes / (array != nullptr ? texel_bytes(array) : 1), copy.Height, copy.Depth};
  told.kind = direction(copy.srcMemoryType, copy.dstMemoryType);
  return told;
}

namespace calls {

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) {
  const CUDA_MEMCPY3D copy = as_driver(p);
  return as_runtime(cuMemcpy3D_v2(&copy));
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream) {
  const CUDA_MEMCPY3D copy = as_driver(p);
  return as_runtime(cuMemcpy3DAsync_v2(&copy, stream));
}

namespace {

// There is one device, so a copy from one to another is a copy.
cudaMemcpy3DParms on_one_device(const cudaMemcpy3DPeerParms* p) {
  require(p != nullptr);
  require(p->srcDevice == 0 && p->dstDevice == 0, cudaErrorInvalidDevice);
  return {p->srcArray, p->srcPos, p->srcPtr, p->dstArray, p->dstPos, p->dstPtr, p->extent, cudaMemcpyDefault};
}

}  // namespace

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* p) {
  const cudaMemcpy3DParms same = on_one_device(p);
  return cudaMemcpy3D(&same);
}

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* p, cudaStream_t stream) {
  const cudaMemcpy3DParms same = on_one_device(p);
  return cudaMemcpy3DAsync(&same, stream);
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
  require(pitched != nullptr);
  CUdeviceptr address = 0;
  size_t pitch = 0;
  if (extent.width != 0 && extent.height != 0 && extent.depth != 0)
    must(cuMemAllocPitch_v2(&address, &pitch, extent.width, extent.height * extent.depth, 4));
  *pitched = {reinterpret_cast<void*>(address), pitch, extent.width, extent.height};
  return cudaSuccess;
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr pitched, int value, cudaExtent extent, cudaStream_t stream) {
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return cudaSuccess;
  require(extent.height <= pitched.ysize);
  // Planes without rows between them are one.
  const bool dense = extent.height == pitched.ysize;
  const size_t rows = dense ? extent.height * extent.depth : extent.height;
  const size_t planes = dense ? 1 : extent.depth;
  for (size_t plane = 0; plane < planes; ++plane)
    must(cuMemsetD2D8Async(reinterpret_cast<CUdeviceptr>(pitched.ptr) + plane * pitched.ysize * pitched.pitch,
                           pitched.pitch, static_cast<unsigned char>(value), extent.width, rows, stream));
  return cudaSuccess;
}

cudaError_t cudaMemset3D(cudaPitchedPtr pitched, int value, cudaExtent extent) {
  return cudaMemset3DAsync(pitched, value, extent, nullptr);
}

}  // namespace calls
}  // namespace wedjat::runtime
