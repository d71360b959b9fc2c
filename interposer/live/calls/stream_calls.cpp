// Streams. All work is done when it is asked for, so nothing is left to wait for.
#include <algorithm>

#include "interposer/live/state/streams.h"
#include "live_calls.h"

namespace wedjat::live::calls {

void cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  require(flags <= CU_STREAM_NON_BLOCKING);
  auto made = std::make_unique<CUstream_st>();
  made->context = &context();
  made->flags = flags;
  made->priority = std::clamp(priority, -5, 0);
  made->id = driver().next_stream++;
  *stream = driver().streams.add(std::move(made));
}

void cuStreamCreate(CUstream* stream, unsigned flags) { cuStreamCreateWithPriority(stream, flags, 0); }

void cuStreamDestroy(CUstream handle) {
  CUstream_st* const stream = stream_of(handle);
  require(stream != nullptr, CUDA_ERROR_INVALID_HANDLE);
  driver().streams.drop(stream);
}

void cuStreamSynchronize(CUstream stream) {
  check_waitable(stream);
  show_printed(context());
}

void cuStreamQuery(CUstream stream) {
  check_waitable(stream);
  show_printed(context());
}

void cuStreamGetCtx(CUstream handle, CUcontext* where) {
  const CUstream_st* const stream = stream_of(handle);
  *where = stream ? stream->context : &context();
}

void cuStreamGetFlags(CUstream handle, unsigned* flags) {
  const CUstream_st* const stream = stream_of(handle);
  *flags = stream ? stream->flags : 0;
}

void cuStreamGetPriority(CUstream handle, int* priority) {
  const CUstream_st* const stream = stream_of(handle);
  *priority = stream ? stream->priority : 0;
}

void cuStreamGetDevice(CUstream handle, CUdevice* device) {
  stream_of(handle);
  *device = 0;
}

void cuStreamGetId(CUstream handle, unsigned long long* id) {
  const CUstream_st* const stream = stream_of(handle);
  *id = stream ? stream->id : reinterpret_cast<std::uintptr_t>(handle);
}

}  // namespace wedjat::live::calls
