// One driver call on its way through a wrapper.
#pragma once

#include <cstdint>
#include <exception>
#include <string>

#include "cuda_abi.h"
#include "interposer/shim/events/recorder.h"
#include "traces/format/names.h"

namespace wedjat::interposer {

using traces::Phase;

struct Call {
  Call(bool per_thread_flavour, CUstream of_stream)
      : sequence(next_sequence()), per_thread(per_thread_flavour), stream(of_stream) {}

  std::uint64_t sequence;  // of the entry event: the name of this call in the trace
  bool per_thread;         // _ptds or _ptsz: stream 0 is the thread's own
  CUstream stream;         // null if the function has none
};

// The application must not notice when recording fails; the trace must.
template <typename Body>
void guarded(const Call& call, const Body& body) {
  try {
    body();
  } catch (const std::exception& error) {
    trouble(call.sequence, error.what());
  }
}

}  // namespace wedjat::interposer
