// The recording this process takes part in. Everything here is leaked on purpose: the application calls the
// driver even after static destructors ran.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "traces/format/blob_writer.h"
#include "traces/format/state.h"

namespace wedjat::interposer {

namespace detail {
extern std::atomic<bool> active;
extern traces::StatePage*
    page;  // set once before `active`, for good: calls may be under way when recording stops
bool first_call();
}  // namespace detail

// True while this process records; the first call in a process announces it.
inline bool recording() { return detail::active.load(std::memory_order_acquire) && detail::first_call(); }

inline std::uint64_t next_sequence() {
  return detail::page->next_sequence.fetch_add(1, std::memory_order_relaxed);
}

traces::BlobWriter& blobs();

// Something the trace now lacks: told on stderr, in the trace, and in its manifest.
void trouble(std::uint64_t call, const std::string& text);

}  // namespace wedjat::interposer
