// One driver call on its way through a wrapper.
#pragma once

#include <cstdint>
#include <exception>
#include <string>

#include "cuda_abi.h"
#include "interposer/shim/events/open_calls.h"
#include "interposer/shim/events/recorder.h"
#include "traces/format/names.h"

namespace wedjat::interposer {

using traces::Phase;

struct Call {
  Call(bool per_thread_flavour, CUstream of_stream)
      : sequence(next_sequence()), per_thread(per_thread_flavour), stream(of_stream) {
    open_.call.store(sequence + 1, std::memory_order_relaxed);
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() { open_.call.store(traces::OpenCall::none, std::memory_order_relaxed); }

  // Nothing was told since its entry, by any thread: where it ends is clear without an event.
  bool ends_where_it_began() const {
    return detail::page->next_sequence.load(std::memory_order_relaxed) == sequence + 1 && is_listed(open_);
  }

  std::uint64_t sequence;  // of the entry event: the name of this call in the trace
  bool per_thread;         // _ptds or _ptsz: stream 0 is the thread's own
  CUstream stream;         // null if the function has none

 private:
  traces::OpenCall& open_ = own_open_call();
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
