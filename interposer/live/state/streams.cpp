#include "interposer/live/state/streams.h"

#include "interposer/live/state/perform.h"

namespace wedjat::live {

bool is_default(CUstream handle) {
  constexpr std::uintptr_t legacy = 1, per_thread = 2;  // CU_STREAM_LEGACY, CU_STREAM_PER_THREAD
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  return number == 0 || number == legacy || number == per_thread;
}

bool is_legacy(CUstream handle) {
  constexpr std::uintptr_t legacy = 1;  // CU_STREAM_LEGACY
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  return number == legacy || (number == 0 && !default_is_per_thread());
}

CUstream_st* stream_of(CUstream handle) {
  return is_default(handle) ? nullptr : &driver().streams.at(handle, CUDA_ERROR_INVALID_HANDLE);
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
