// Streams. All work is done when it is asked for, so nothing is left to wait for.
#include <algorithm>

#include "interposer/live/state/streams.h"
#include "live_calls.h"

namespace wedjat::live::calls {

namespace {

CUstream make_stream(CUctx_st& where, CUgreenCtx green, unsigned flags, int priority) {
  auto made = std::make_unique<CUstream_st>();
  made->context = &where;
  made->green = green;
  made->flags = flags;
  made->priority = std::clamp(priority, -5, 0);
  made->id = driver().next_stream++;
  return driver().streams.add(std::move(made));
}

CUgreenCtx green_context_of(const CUstream_st* stream) {
  return stream ? stream->green : green_of(current_context());
}

}  // namespace

void cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  require(flags <= CU_STREAM_NON_BLOCKING);
  *stream = make_stream(context(), green_of(current_context()), flags, priority);
}

void cuGreenCtxStreamCreate(CUstream* stream, CUgreenCtx handle, unsigned flags, int priority) {
  const CUgreenCtx_st& green = driver().green_contexts.at(handle, CUDA_ERROR_INVALID_CONTEXT);
  require(flags == CU_STREAM_NON_BLOCKING);
  *stream = make_stream(driver().contexts.at(green.primary, CUDA_ERROR_CONTEXT_IS_DESTROYED), handle, flags,
                        priority);
}

void cuStreamGetGreenCtx(CUstream stream, CUgreenCtx* green) { *green = green_context_of(stream_of(stream)); }

void cuStreamCreate(CUstream* stream, unsigned flags) { cuStreamCreateWithPriority(stream, flags, 0); }

void cuStreamDestroy(CUstream handle) {
  require(!is_default(handle), CUDA_ERROR_INVALID_HANDLE);
  driver().streams.drop(stream_of(handle));
}

void cuStreamSynchronize(CUstream stream) {
  check_waitable(stream);
  waited(context());
}

void cuStreamQuery(CUstream stream) {
  check_waitable(stream);
  show_printed(context());
}

void cuStreamGetCtx(CUstream handle, CUcontext* where) {
  const CUstream_st* const stream = stream_of(handle);
  *where = stream == nullptr ? &context()
           : stream->green   ? reinterpret_cast<CUcontext>(stream->green)
                             : stream->context;
}

void cuStreamGetCtx(CUstream handle, CUcontext* where, CUgreenCtx* green) {
  const CUstream_st* const stream = stream_of(handle);
  if (green != nullptr) *green = green_context_of(stream);
  if (where != nullptr) *where = stream ? stream->context : &context();
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
