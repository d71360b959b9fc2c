#include "interposer/shim/calls/boxes.h"

#include "interposer/shim/driver/driver.h"
#include "interposer/shim/memory/streams.h"

namespace wedjat::interposer {
namespace {

std::size_t bytes_of(CUarray_format format) {
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8:
      return 1;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF:
      return 2;
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_SIGNED_INT32:
    case CU_AD_FORMAT_FLOAT:
      return 4;
    default:
      return 0;
  }
}

// Extents of a batched copy count elements: those of the array side, or bytes between two pointers.
std::size_t element_size(const CUDA_MEMCPY3D_BATCH_OP& operation) {
  const CUmemcpy3DOperand* sides[] = {&operation.src, &operation.dst};
  for (const CUmemcpy3DOperand* side : sides) {
    if (side->type != CU_MEMCPY_OPERAND_TYPE_ARRAY) continue;
    CUDA_ARRAY3D_DESCRIPTOR descriptor{};
    const auto get = real<CUresult (*)(CUDA_ARRAY3D_DESCRIPTOR*, CUarray)>(Entry::cuArray3DGetDescriptor_v2);
    if (!get || get(&descriptor, side->op.array.array) != CUDA_SUCCESS) return 0;
    return bytes_of(descriptor.Format) * descriptor.NumChannels;
  }
  return 1;
}

void each_host_side(const Call& call, const char* name, const CUDA_MEMCPY3D_BATCH_OP* operations,
                    size_t count, bool source) {
  for (size_t i = 0; i < count; ++i) {
    const CUDA_MEMCPY3D_BATCH_OP& operation = operations[i];
    const CUmemcpy3DOperand& side = source ? operation.src : operation.dst;
    if (side.type != CU_MEMCPY_OPERAND_TYPE_POINTER || !is_host(side.op.ptr.ptr)) continue;
    const std::string numbered = std::string(name) + "_" + std::to_string(i);
    const std::size_t element = element_size(operation);
    if (element == 0) {
      trouble(call.sequence, "a batched copy uses an array format whose element size is not known");
      continue;
    }
    // Zero lengths mean tight rows and planes.
    const std::size_t row = side.op.ptr.rowLength ? side.op.ptr.rowLength : operation.extent.width;
    const std::size_t layer = side.op.ptr.layerHeight ? side.op.ptr.layerHeight : operation.extent.height;
    const Box box{reinterpret_cast<const std::byte*>(side.op.ptr.ptr),
                  operation.extent.width * element,
                  operation.extent.height,
                  operation.extent.depth,
                  row * element,
                  row * element * layer};
    source ? copy_source(call, numbered, box) : copy_target_later(call, numbered, box);
  }
}

}  // namespace

void box_batch_in(const Call& call, const CUDA_MEMCPY3D_BATCH_OP* operations, size_t count) {
  work_given(call);
  each_host_side(call, "host_in", operations, count, true);
}

void box_batch_out(const Call& call, const CUDA_MEMCPY3D_BATCH_OP* operations, size_t count) {
  each_host_side(call, "host_out", operations, count, false);
}

}  // namespace wedjat::interposer
