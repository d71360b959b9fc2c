#include "interposer/shim/events/untold.h"

#include "interposer/shim/events/recorder.h"

namespace wedjat::interposer {

using traces::UntoldEvent;

UntoldEvent* is_untold(std::uint64_t sequence, std::uint64_t call) {
  for (UntoldEvent& one : detail::page->untold) {
    std::uint64_t expected = UntoldEvent::free;
    if (one.sequence.load(std::memory_order_relaxed) != UntoldEvent::free ||
        !one.sequence.compare_exchange_strong(expected, UntoldEvent::taken))
      continue;
    one.call = call;
    one.sequence.store(sequence + 1, std::memory_order_release);
    return &one;
  }
  return nullptr;
}

void is_told(UntoldEvent* event) {
  if (event != nullptr) event->sequence.store(UntoldEvent::free, std::memory_order_release);
}

}  // namespace wedjat::interposer
