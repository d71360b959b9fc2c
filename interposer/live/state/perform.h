// What every exported function does around the call itself: the lock, what must have been called before, and
// failures as codes.
#pragma once

#include <cstdint>
#include <functional>

#include "entries.h"
#include "interposer/live/state/bearers.h"
#include "interposer/live/state/callbacks.h"
#include "interposer/live/state/failure.h"
#include "interposer/live/state/logs.h"

#define WEDJAT_EXPORT __attribute__((visibility("default")))

namespace wedjat::live {

using interposer::Entry;

enum class Needs : std::uint8_t { nothing, driver, object, context };

// A function that is exported and does nothing: named once on standard error, counted, or, if the user wants
// it so, the end of the program.
CUresult unsupported(Entry entry) noexcept;

class Guard {
 public:
  explicit Guard(bool per_thread);
  ~Guard();
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

  // `tells`: of a kernel that failed.
  void check(Needs needs, bool tells) const;
  // Where no context is current, `context` is until the guard goes; null: none.
  void stand_in(CUcontext context, bool tells);

 private:
  bool has_stand_in_ = false;
};

// The code for the exception at hand, which it tells; a kernel's failure stays with its context.
CUresult failure_of(Entry entry) noexcept;

inline CUcontext no_context() { return nullptr; }

// `tells`: once a kernel has failed, the call says so and does nothing. `bearer` gives the context that
// stands in where none is current.
template <class Body, class Bearer = decltype(no_context)>
CUresult perform(Entry entry, Needs needs, bool tells, bool per_thread, const Body& body,
                 const Bearer& bearer = no_context) noexcept {
  if (needs != Needs::nothing && inside_callback()) return CUDA_ERROR_NOT_PERMITTED;
  if (needs == Needs::object || needs == Needs::context) wait_for_callbacks();
  Guard guard(per_thread);
  try {
    guard.check(needs, tells);
    if (needs == Needs::object) guard.stand_in(bearer(), tells);
    body();
    return CUDA_SUCCESS;
  } catch (...) {
    return failure_of(entry);
  }
}

inline void required(const void* pointer) { require(pointer != nullptr); }

// Runs the program's own code, which may call the driver.
void call_out(const std::function<void()>& function);
void call_out(void (*function)(void*), void* data);

// The process was forked by one that used the driver, and has none.
bool is_forked();

// The function is one of those whose default stream is the thread's.
bool default_is_per_thread();

}  // namespace wedjat::live
