// Copies of several boxes in one call.
#include <algorithm>

#include "interposer/live/state/streams.h"
#include "interposer/meaning/textures.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

// Extents are counted in texels where an array takes part, and in bytes elsewhere.
std::size_t element_of(const CUmemcpy3DOperand& operand) {
  if (operand.type != CU_MEMCPY_OPERAND_TYPE_ARRAY) return 1;
  const CUarray_st& array = driver().arrays.at(operand.op.array.array, CUDA_ERROR_INVALID_VALUE);
  return interposer::shape_of(array.description).texel_bytes();
}

void check(const CUmemcpy3DOperand& operand) {
  require(operand.type == CU_MEMCPY_OPERAND_TYPE_POINTER || operand.type == CU_MEMCPY_OPERAND_TYPE_ARRAY);
  require(operand.type == CU_MEMCPY_OPERAND_TYPE_ARRAY || operand.op.ptr.ptr != 0);
}

CUDA_MEMCPY3D box_of(const CUDA_MEMCPY3D_BATCH_OP& copy) {
  check(copy.src);
  check(copy.dst);
  const std::size_t element = std::max(element_of(copy.src), element_of(copy.dst));
  const auto& [width, height, depth] = copy.extent;
  require(width != 0 && height != 0 && depth != 0);
  CUDA_MEMCPY3D box{};
  box.WidthInBytes = width * element;
  box.Height = height;
  box.Depth = depth;
  if (copy.src.type == CU_MEMCPY_OPERAND_TYPE_ARRAY) {
    const auto& [array, offset] = copy.src.op.array;
    box.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    box.srcArray = array;
    box.srcXInBytes = offset.x * element;
    box.srcY = offset.y;
    box.srcZ = offset.z;
  } else {
    box.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
    box.srcDevice = copy.src.op.ptr.ptr;
    box.srcPitch = copy.src.op.ptr.rowLength * element;
    box.srcHeight = copy.src.op.ptr.layerHeight;
  }
  if (copy.dst.type == CU_MEMCPY_OPERAND_TYPE_ARRAY) {
    const auto& [array, offset] = copy.dst.op.array;
    box.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    box.dstArray = array;
    box.dstXInBytes = offset.x * element;
    box.dstY = offset.y;
    box.dstZ = offset.z;
  } else {
    box.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
    box.dstDevice = copy.dst.op.ptr.ptr;
    box.dstPitch = copy.dst.op.ptr.rowLength * element;
    box.dstHeight = copy.dst.op.ptr.layerHeight;
  }
  return box;
}

}  // namespace

void cuMemcpy3DBatchAsync(std::size_t count, CUDA_MEMCPY3D_BATCH_OP* copies, unsigned long long flags,
                          CUstream stream) {
  require(!stream_of(stream)->capture);
  require(count != 0 && copies != nullptr && flags == 0);
  std::vector<CUDA_MEMCPY3D> boxes;
  for (std::size_t i = 0; i < count; ++i) boxes.push_back(box_of(copies[i]));
  for (const CUDA_MEMCPY3D& box : boxes) give(stream, box);
}

void cuMemcpy3DBatchAsync(std::size_t count, CUDA_MEMCPY3D_BATCH_OP* copies, std::size_t* failed,
                          unsigned long long flags, CUstream stream) {
  if (failed != nullptr) *failed = ~std::size_t{0};  // none in particular
  cuMemcpy3DBatchAsync(count, copies, flags, stream);
}

}  // namespace wedjat::live::calls
