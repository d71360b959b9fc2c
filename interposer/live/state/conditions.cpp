#include "interposer/live/state/conditions.h"

#include "interposer/live/state/driver.h"

namespace wedjat::live {

Condition::Condition(CUctx_st& context, CUgraph of, unsigned at_first, bool begins_anew)
    : graph(of), context_(&context), at_first_(at_first), begins_anew_(begins_anew) {
  const Allocation& word =
      driver().memory.allocate(context, sizeof at_first, MemoryKind::device, "a condition of a graph");
  address_ = word.address;
  allocation_ = word.id;
}

// The context may be gone, and its memory with it.
Condition::~Condition() {
  Allocation* const word = driver().memory.starting(address_);
  if (word != nullptr && word->id == allocation_) driver().memory.free(*word);
}

unsigned Condition::value() const {
  unsigned value = 0;
  context_at(context_, CUDA_ERROR_CONTEXT_IS_DESTROYED)
      .device.read(address_, std::as_writable_bytes(std::span(&value, 1)));
  return value;
}

void Condition::begin() const {
  if (!begins_anew_) return;
  context_at(context_, CUDA_ERROR_CONTEXT_IS_DESTROYED)
      .device.write(address_, std::as_bytes(std::span(&at_first_, 1)));
}

}  // namespace wedjat::live
