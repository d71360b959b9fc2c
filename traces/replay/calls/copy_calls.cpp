// Copies of one row of bytes, and batches. What a copy brought to the host is the oracle: it is compared with
// what our memory holds at that moment of the replay.
#include "cuda_abi.h"
#include "traces/replay/calls/copy.h"
#include "traces/replay/calls/handlers.h"

namespace wedjat::traces::handle {
namespace {

void copy_line(Replayer& replayer, const Call& call, const Side& from, const Side& to) {
  copy(replayer, call, from, to, {call.entry->number("ByteCount"), 1, 1});
}

void copy_line(Replayer& replayer, const Call& call, const char* from, Owner from_owner, const char* to,
               Owner to_owner) {
  copy_line(replayer, call, Side::line(call.entry->number(from), from_owner),
            Side::line(call.entry->number(to), to_owner));
}

Side array_line(Replayer& replayer, const Call& call, const char* array, const char* offset) {
  return Side::in_array(replayer, call, call.entry->number(array), call.entry->number(offset), 0, 0);
}

// Bytes of an element of a batched box: a texel if one side is an array.
std::uint64_t element_of_box(Replayer& replayer, const Call& call, const CUDA_MEMCPY3D_BATCH_OP& box) {
  for (const CUmemcpy3DOperand* side : {&box.src, &box.dst})
    if (side->type == CU_MEMCPY_OPERAND_TYPE_ARRAY)
      return Side::in_array(replayer, call, reinterpret_cast<std::uint64_t>(side->op.array.array), 0, 0, 0)
          .array->shape()
          .texel_bytes();
  return 1;
}

Side side_of(Replayer& replayer, const Call& call, const CUDA_MEMCPY3D_BATCH_OP& box,
             const CUmemcpy3DOperand& side, std::uint64_t element) {
  if (side.type == CU_MEMCPY_OPERAND_TYPE_ARRAY)
    return Side::in_array(replayer, call, reinterpret_cast<std::uint64_t>(side.op.array.array),
                          side.op.array.offset.x * element, side.op.array.offset.y, side.op.array.offset.z);
  const std::uint64_t row = (side.op.ptr.rowLength ? side.op.ptr.rowLength : box.extent.width) * element;
  const std::uint64_t rows = side.op.ptr.layerHeight ? side.op.ptr.layerHeight : box.extent.height;
  return {nullptr, side.op.ptr.ptr, row, row * rows};
}

}  // namespace

void copy_any(Replayer& replayer, const Call& call) {
  copy_line(replayer, call, "src", Owner::either, "dst", Owner::either);
}
void copy_peer(Replayer& replayer, const Call& call) {
  copy_line(replayer, call, "srcDevice", Owner::device, "dstDevice", Owner::device);
}
void copy_to_device(Replayer& replayer, const Call& call) {
  copy_line(replayer, call, "srcHost", Owner::host, "dstDevice", Owner::device);
}
void copy_to_host(Replayer& replayer, const Call& call) {
  copy_line(replayer, call, "srcDevice", Owner::device, "dstHost", Owner::host);
}
void copy_on_device(Replayer& replayer, const Call& call) {
  copy_line(replayer, call, "srcDevice", Owner::device, "dstDevice", Owner::device);
}

void copy_host_to_array(Replayer& replayer, const Call& call) {
  copy_line(replayer, call, Side::line(call.entry->number("srcHost"), Owner::host),
            array_line(replayer, call, "dstArray", "dstOffset"));
}
void copy_array_to_host(Replayer& replayer, const Call& call) {
  copy_line(replayer, call, array_line(replayer, call, "srcArray", "srcOffset"),
            Side::line(call.entry->number("dstHost"), Owner::host));
}
void copy_device_to_array(Replayer& replayer, const Call& call) {
  copy_line(replayer, call, Side::line(call.entry->number("srcDevice"), Owner::device),
            array_line(replayer, call, "dstArray", "dstOffset"));
}
void copy_array_to_device(Replayer& replayer, const Call& call) {
  copy_line(replayer, call, array_line(replayer, call, "srcArray", "srcOffset"),
            Side::line(call.entry->number("dstDevice"), Owner::device));
}
void copy_array_to_array(Replayer& replayer, const Call& call) {
  copy_line(replayer, call, array_line(replayer, call, "srcArray", "srcOffset"),
            array_line(replayer, call, "dstArray", "dstOffset"));
}

void copy_batch(Replayer& replayer, const Call& call) {
  const auto to = replayer.inputs(call, "dsts"), from = replayer.inputs(call, "srcs"),
             sizes = replayer.inputs(call, "sizes");
  const std::uint64_t count = call.entry->number("count");
  if (to.size() != count || from.size() != count || sizes.size() != count)
    replayer.refuse(call, "its lists were not recorded whole");
  for (std::size_t i = 0; i < count; ++i)
    copy(replayer, call, Side::line(from[i]), Side::line(to[i]), {sizes[i], 1, 1}, "_" + std::to_string(i));
}

void copy_box_batch(Replayer& replayer, const Call& call) {
  const Bytes list = replayer.input(call, "opList");
  for (std::size_t i = 0; i < call.entry->number("numOps"); ++i) {
    const auto box = replayer.structure<CUDA_MEMCPY3D_BATCH_OP>(call, list, i);
    const std::uint64_t element = element_of_box(replayer, call, box);
    copy(replayer, call, side_of(replayer, call, box, box.src, element),
         side_of(replayer, call, box, box.dst, element),
         {box.extent.width * element, box.extent.height, box.extent.depth}, "_" + std::to_string(i));
  }
}

}  // namespace wedjat::traces::handle
