#include "interposer/shim/events/open_calls.h"

#include "interposer/shim/events/recorder.h"

namespace wedjat::interposer {
namespace {

using traces::OpenCall;

OpenCall unlisted;

thread_local OpenCall* own = nullptr;  // needs no destructor: the driver is called when others have run

// A thread that ends inside of a call does not come back from it.
struct End {
  ~End() {
    std::uint64_t expected = OpenCall::none;
    if (own != nullptr && own != &unlisted) own->call.compare_exchange_strong(expected, OpenCall::free);
    own = nullptr;
  }
};

OpenCall& claim() {
  thread_local const End end;
  static_cast<void>(&end);
  for (OpenCall& one : detail::page->open_calls) {
    std::uint64_t expected = OpenCall::free;
    if (one.call.load(std::memory_order_relaxed) == OpenCall::free &&
        one.call.compare_exchange_strong(expected, OpenCall::none))
      return one;
  }
  return unlisted;
}

}  // namespace

OpenCall& own_open_call() {
  if (own == nullptr) own = &claim();
  return *own;
}

bool is_listed(const OpenCall& one) { return &one != &unlisted; }

void open_calls_after_fork() { own = nullptr; }

}  // namespace wedjat::interposer
