#include "interposer/live/state/streams.h"

namespace wedjat::live {

CUstream_st* stream_of(CUstream handle) {
  constexpr std::uintptr_t legacy = 1, per_thread = 2;  // CU_STREAM_LEGACY, CU_STREAM_PER_THREAD
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  if (number == 0 || number == legacy || number == per_thread) return nullptr;
  return &driver().streams.at(handle, CUDA_ERROR_INVALID_HANDLE);
}

}  // namespace wedjat::live
