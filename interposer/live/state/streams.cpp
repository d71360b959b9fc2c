#include "interposer/live/state/streams.h"

#include "interposer/live/state/perform.h"
#include "interposer/shim/driver/of_this_thread.h"

namespace wedjat::live {

namespace {

constexpr std::uintptr_t legacy = 1, of_thread = 2;  // CU_STREAM_LEGACY, CU_STREAM_PER_THREAD

// Those of the calling thread that were captured, by context. A stream goes with its context.
struct OwnStreams {
  std::map<CUcontext, CUstream> by_context;
};
OwnStreams& own_streams() { return interposer::of_this_thread<OwnStreams, OwnStreams>(); }

CUstream_st* own_stream() {
  if (driver().next_capture == 1) return nullptr;  // nothing was captured so far
  OwnStreams& own = own_streams();
  const auto found = own.by_context.find(current_context());
  CUstream_st* const stream = found == own.by_context.end() ? nullptr : driver().streams.find(found->second);
  return stream != nullptr && stream->thread == &own ? stream : nullptr;
}

}  // namespace

bool is_default(CUstream handle) {
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  return number == 0 || number == legacy || number == of_thread;
}

bool is_legacy(CUstream handle) {
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  return number == legacy || (number == 0 && !default_is_per_thread());
}

CUstream_st* stream_of(CUstream handle) {
  if (is_legacy(handle)) return nullptr;
  return is_default(handle) ? own_stream() : &driver().streams.at(handle, CUDA_ERROR_INVALID_HANDLE);
}

CUstream_st* stream_to_capture(CUstream handle) {
  CUstream_st* const known = stream_of(handle);
  if (known != nullptr || is_legacy(handle)) return known;
  auto made = std::make_unique<CUstream_st>();
  made->context = &context();
  made->green = green_of(current_context());
  made->id = of_thread;
  made->thread = &own_streams();
  return own_streams().by_context[current_context()] = driver().streams.add(std::move(made));
}

void check_waitable(CUstream handle) {
  const CUstream_st* const stream = stream_of(handle);
  if (stream == nullptr || !stream->capture) return;
  stream->capture->broken = true;
  fail(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
}

bool give(CUstream handle, Work work) {
  CUstream_st* const stream = stream_of(handle);
  if (stream == nullptr || !stream->capture) {
    carry_out(work);
    return false;
  }
  require(!stream->capture->broken, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  stream->frontier = {add_node(*stream->capture->graph, std::move(work), std::move(stream->frontier))};
  return true;
}

}  // namespace wedjat::live
