// Copies and fills: the calls.
#include <cstring>

#include "interposer/live/state/streams.h"
#include "interposer/live/work/copies.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

bool captured(CUstream stream) {
  const CUstream_st* const where = stream_of(stream);
  return where != nullptr && where->capture;
}

CUmemorytype type_of(Owner owner) {
  return owner == Owner::host     ? CU_MEMORYTYPE_HOST
         : owner == Owner::device ? CU_MEMORYTYPE_DEVICE
                                  : CU_MEMORYTYPE_UNIFIED;
}

void copy_in(CUstream stream, Line to, Line from, std::size_t bytes) {
  if (!captured(stream)) return copy(to, from, bytes);
  CUDA_MEMCPY3D box{};
  box.srcMemoryType = type_of(from.owner);
  box.dstMemoryType = type_of(to.owner);
  box.srcDevice = from.address;
  box.srcHost = reinterpret_cast<const void*>(from.address);
  box.dstDevice = to.address;
  box.dstHost = reinterpret_cast<void*>(to.address);
  box.WidthInBytes = bytes;
  box.Height = box.Depth = 1;
  give(stream, box);
}

void fill_in(CUstream stream, CUdeviceptr at, std::size_t pitch, unsigned value, unsigned element,
             std::size_t width, std::size_t height) {
  if (!captured(stream)) return fill(at, pitch, value, element, width, height);
  give(stream, CUDA_MEMSET_NODE_PARAMS{at, pitch, value, element, width, height});
}

// As a graph's node has it.
CUDA_MEMCPY3D as_3d(const CUDA_MEMCPY2D& box) {
  CUDA_MEMCPY3D same{};
  same.srcXInBytes = box.srcXInBytes;
  same.srcY = box.srcY;
  same.srcMemoryType = box.srcMemoryType;
  same.srcHost = box.srcHost;
  same.srcDevice = box.srcDevice;
  same.srcArray = box.srcArray;
  same.srcPitch = box.srcPitch;
  same.dstXInBytes = box.dstXInBytes;
  same.dstY = box.dstY;
  same.dstMemoryType = box.dstMemoryType;
  same.dstHost = box.dstHost;
  same.dstDevice = box.dstDevice;
  same.dstArray = box.dstArray;
  same.dstPitch = box.dstPitch;
  same.WidthInBytes = box.WidthInBytes;
  same.Height = box.Height;
  same.Depth = 1;
  return same;
}

}  // namespace

void cuMemcpy(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) { copy({to}, {from}, bytes); }

void cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  copy_in(stream, {to}, {from}, bytes);
}

void cuMemcpyHtoD(CUdeviceptr to, const void* from, std::size_t bytes) {
  copy({to, Owner::device}, {number(from), Owner::host}, bytes);
}

void cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream) {
  copy_in(stream, {to, Owner::device}, {number(from), Owner::host}, bytes);
}

void cuMemcpyDtoH(void* to, CUdeviceptr from, std::size_t bytes) {
  copy({number(to), Owner::host}, {from, Owner::device}, bytes);
}

void cuMemcpyDtoHAsync(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  copy_in(stream, {number(to), Owner::host}, {from, Owner::device}, bytes);
}

void cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  copy({to, Owner::device}, {from, Owner::device}, bytes);
}

void cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  copy_in(stream, {to, Owner::device}, {from, Owner::device}, bytes);
}

void cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                  std::size_t bytes) {
  for (const CUcontext named : {to_context, from_context})
    if (named != nullptr) context_at(named, CUDA_ERROR_INVALID_CONTEXT);
  cuMemcpyDtoD(to, from, bytes);
}

void cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                       std::size_t bytes, CUstream stream) {
  for (const CUcontext named : {to_context, from_context})
    if (named != nullptr) context_at(named, CUDA_ERROR_INVALID_CONTEXT);
  cuMemcpyDtoDAsync(to, from, bytes, stream);
}

void cuMemcpyHtoA(CUarray to, std::size_t offset, const void* from, std::size_t bytes) {
  copy(in_array(to, offset, bytes), {number(from), Owner::host}, bytes);
}
void cuMemcpyAtoH(void* to, CUarray from, std::size_t offset, std::size_t bytes) {
  copy({number(to), Owner::host}, in_array(from, offset, bytes), bytes);
}
void cuMemcpyDtoA(CUarray to, std::size_t offset, CUdeviceptr from, std::size_t bytes) {
  copy(in_array(to, offset, bytes), {from, Owner::device}, bytes);
}
void cuMemcpyAtoD(CUdeviceptr to, CUarray from, std::size_t offset, std::size_t bytes) {
  copy({to, Owner::device}, in_array(from, offset, bytes), bytes);
}
void cuMemcpyAtoA(CUarray to, std::size_t to_offset, CUarray from, std::size_t from_offset,
                  std::size_t bytes) {
  copy(in_array(to, to_offset, bytes), in_array(from, from_offset, bytes), bytes);
}
void cuMemcpyHtoAAsync(CUarray to, std::size_t offset, const void* from, std::size_t bytes, CUstream stream) {
  copy_in(stream, in_array(to, offset, bytes), {number(from), Owner::host}, bytes);
}
void cuMemcpyAtoHAsync(void* to, CUarray from, std::size_t offset, std::size_t bytes, CUstream stream) {
  copy_in(stream, {number(to), Owner::host}, in_array(from, offset, bytes), bytes);
}

void cuMemcpy2D(const CUDA_MEMCPY2D* box) { copy(interposer::box_of(*box)); }
void cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* box) { cuMemcpy2D(box); }
void cuMemcpy3D(const CUDA_MEMCPY3D* box) { copy(interposer::box_of(*box)); }

void cuMemcpy2DAsync(const CUDA_MEMCPY2D* box, CUstream stream) { give(stream, as_3d(*box)); }

void cuMemcpy3DAsync(const CUDA_MEMCPY3D* box, CUstream stream) { give(stream, *box); }

void cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER* box, CUstream stream) {
  for (const CUcontext named : {box->srcContext, box->dstContext})
    if (named != nullptr) context_at(named, CUDA_ERROR_INVALID_CONTEXT);
  CUDA_MEMCPY3D same{};
  static_assert(sizeof same == sizeof *box);  // where one has contexts the other has nothing
  std::memcpy(&same, box, sizeof same);
  give(stream, same);
}

void cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER* box) { cuMemcpy3DPeerAsync(box, nullptr); }

// The attributes say when sources may be read, which is always now.
void cuMemcpyBatchAsync(CUdeviceptr* to, CUdeviceptr* from, std::size_t* sizes, std::size_t count,
                        CUmemcpyAttributes* attributes, std::size_t* places, std::size_t attribute_count,
                        CUstream stream) {
  const CUstream_st* const where = stream_of(stream);
  require(where != nullptr && !where->capture);  // neither a default stream nor a captured one
  require(count != 0 && to != nullptr && from != nullptr && sizes != nullptr);
  require(attribute_count != 0 && attribute_count <= count && attributes != nullptr && places != nullptr);
  for (std::size_t i = 0; i < count; ++i) copy({to[i]}, {from[i]}, sizes[i]);
}

void cuMemcpyBatchAsync(CUdeviceptr* to, CUdeviceptr* from, std::size_t* sizes, std::size_t count,
                        CUmemcpyAttributes* attributes, std::size_t* places, std::size_t attribute_count,
                        std::size_t* failed, CUstream stream) {
  if (failed != nullptr) *failed = ~std::size_t{0};  // none in particular
  cuMemcpyBatchAsync(to, from, sizes, count, attributes, places, attribute_count, stream);
}

void cuMemsetD8(CUdeviceptr at, unsigned char value, std::size_t count) { fill(at, 0, value, 1, count, 1); }

void cuMemsetD2D8(CUdeviceptr at, std::size_t pitch, unsigned char value, std::size_t width,
                  std::size_t height) {
  fill(at, pitch, value, 1, width, height);
}

void cuMemsetD8Async(CUdeviceptr at, unsigned char value, std::size_t count, CUstream stream) {
  fill_in(stream, at, 0, value, 1, count, 1);
}

void cuMemsetD2D8Async(CUdeviceptr at, std::size_t pitch, unsigned char value, std::size_t width,
                       std::size_t height, CUstream stream) {
  fill_in(stream, at, pitch, value, 1, width, height);
}

void cuMemsetD16(CUdeviceptr at, unsigned short value, std::size_t count) { fill(at, 0, value, 2, count, 1); }

void cuMemsetD2D16(CUdeviceptr at, std::size_t pitch, unsigned short value, std::size_t width,
                   std::size_t height) {
  fill(at, pitch, value, 2, width, height);
}

void cuMemsetD16Async(CUdeviceptr at, unsigned short value, std::size_t count, CUstream stream) {
  fill_in(stream, at, 0, value, 2, count, 1);
}

void cuMemsetD2D16Async(CUdeviceptr at, std::size_t pitch, unsigned short value, std::size_t width,
                        std::size_t height, CUstream stream) {
  fill_in(stream, at, pitch, value, 2, width, height);
}

void cuMemsetD32(CUdeviceptr at, unsigned value, std::size_t count) { fill(at, 0, value, 4, count, 1); }

void cuMemsetD2D32(CUdeviceptr at, std::size_t pitch, unsigned value, std::size_t width, std::size_t height) {
  fill(at, pitch, value, 4, width, height);
}

void cuMemsetD32Async(CUdeviceptr at, unsigned value, std::size_t count, CUstream stream) {
  fill_in(stream, at, 0, value, 4, count, 1);
}

void cuMemsetD2D32Async(CUdeviceptr at, std::size_t pitch, unsigned value, std::size_t width,
                        std::size_t height, CUstream stream) {
  fill_in(stream, at, pitch, value, 4, width, height);
}

}  // namespace wedjat::live::calls
