#include "interposer/live/state/graphs/captures.h"

#include "interposer/live/state/perform.h"
#include "interposer/live/state/streams.h"

namespace wedjat::live {
namespace {

thread_local CUstreamCaptureMode thread_mode = CU_STREAM_CAPTURE_MODE_GLOBAL;

// Streams of captures that `is_meant` names.
template <class IsMeant>
std::vector<CUstream_st*> capturing(const IsMeant& is_meant) {
  std::vector<CUstream_st*> found;
  if (driver().next_capture == 1) return found;  // there was none so far
  driver().streams.each([&](CUstream_st& stream) {
    if (stream.capture && is_meant(stream)) found.push_back(&stream);
  });
  return found;
}

// Ends their captures, and the call if there is one.
void end_captures(CUresult code, const std::vector<CUstream_st*>& streams) {
  for (const CUstream_st* stream : streams) stream->capture->broken = true;
  require(streams.empty(), code);
}

bool minds(const Capture& capture) {
  if (capture.thread == std::this_thread::get_id()) return capture.mode != CU_STREAM_CAPTURE_MODE_RELAXED;
  return capture.mode == CU_STREAM_CAPTURE_MODE_GLOBAL && thread_mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
}

bool waits_for_default(const CUstream_st& stream) {
  return stream.context == &context() && (stream.flags & CU_STREAM_NON_BLOCKING) == 0;
}

}  // namespace

CUstreamCaptureMode exchange_capture_mode(CUstreamCaptureMode mode) {
  return std::exchange(thread_mode, mode);
}

namespace beside_captures {

void default_stream(CUstream handle) {
  if (is_legacy(handle)) end_captures(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, capturing(waits_for_default));
}

bool would_wait(CUstream handle) { return is_legacy(handle) && !capturing(waits_for_default).empty(); }

void unsafe(CUstream handle) {
  if (thread_mode == CU_STREAM_CAPTURE_MODE_RELAXED) return;
  const CUstream_st* const where =
      is_default(handle) ? stream_of(handle) : driver().streams.find(handle);
  if (where != nullptr && where->capture) return;
  end_captures(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
               capturing([](const CUstream_st& stream) { return minds(*stream.capture); }));
}

void waits(CUstream) {
  end_captures(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
               capturing([](const CUstream_st& stream) { return stream.context == &context(); }));
}

}  // namespace beside_captures

}  // namespace wedjat::live
