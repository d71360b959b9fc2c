// Words that streams write and wait for.
#include "interposer/live/state/streams.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

void give_one(CUstream stream, CUstreamBatchMemOpType type, CUdeviceptr address, cuuint64_t value,
              unsigned flags) {
  require((flags & ~unsigned{CU_STREAM_WAIT_VALUE_NOR | CU_STREAM_WAIT_VALUE_FLUSH}) == 0);
  CUstreamBatchMemOpParams one{};
  one.operation = type;
  const bool writes = type == CU_STREAM_MEM_OP_WRITE_VALUE_32 || type == CU_STREAM_MEM_OP_WRITE_VALUE_64;
  const bool wide = type == CU_STREAM_MEM_OP_WRITE_VALUE_64 || type == CU_STREAM_MEM_OP_WAIT_VALUE_64;
  const auto set = [&](auto& part) {
    part.address = address;
    part.flags = flags;
    if (wide)
      part.value64 = value;
    else
      part.value = static_cast<cuuint32_t>(value);
  };
  writes ? set(one.writeValue) : set(one.waitValue);
  give(stream, MemoryOperations{{one}});
}

}  // namespace

void cuStreamWriteValue32(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags) {
  give_one(stream, CU_STREAM_MEM_OP_WRITE_VALUE_32, address, value, flags);
}
void cuStreamWriteValue64(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags) {
  give_one(stream, CU_STREAM_MEM_OP_WRITE_VALUE_64, address, value, flags);
}
void cuStreamWaitValue32(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags) {
  give_one(stream, CU_STREAM_MEM_OP_WAIT_VALUE_32, address, value, flags);
}
void cuStreamWaitValue64(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags) {
  give_one(stream, CU_STREAM_MEM_OP_WAIT_VALUE_64, address, value, flags);
}
void cuStreamBatchMemOp(CUstream stream, unsigned count, CUstreamBatchMemOpParams* list, unsigned flags) {
  require(flags == 0 && count <= 256 && (count == 0 || list != nullptr));
  give(stream, MemoryOperations{{list, list + count}});
}

}  // namespace wedjat::live::calls
