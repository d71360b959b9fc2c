#include "interposer/live/state/perform.h"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <set>

#include "emulator/device/error.h"
#include "emulator/ptx/text/error.h"
#include "interposer/live/state/driver.h"
#include "interposer/live/state/ending.h"
#include "interposer/meaning/textures.h"
#include "interposer/shim/driver/entry_table.h"
#include "interposer/shim/driver/of_this_thread.h"

namespace wedjat::live {
namespace {

struct Held {
  std::unique_lock<std::mutex> lock;
  bool per_thread = false;
};
Held& held() { return interposer::of_this_thread<Held, Held>(); }

// A child has neither the threads nor the device of the process that forked it.
std::atomic<bool> forked{false};
const bool watches_forks = pthread_atfork(nullptr, nullptr, [] { forked = driver().initialized; }) == 0;

const char* name_of(Entry entry) { return interposer::kEntryTable[static_cast<int>(entry)].name; }

CUresult code_of(exec::FaultKind kind) {
  switch (kind) {
    case exec::FaultKind::out_of_bounds:
    case exec::FaultKind::use_after_free:
    case exec::FaultKind::read_only:
    case exec::FaultKind::stack_overflow:
      return CUDA_ERROR_ILLEGAL_ADDRESS;
    case exec::FaultKind::misaligned:
      return CUDA_ERROR_MISALIGNED_ADDRESS;
    case exec::FaultKind::assertion:
      return CUDA_ERROR_ASSERT;
    case exec::FaultKind::deadlock:
    case exec::FaultKind::step_limit:
      return CUDA_ERROR_LAUNCH_TIMEOUT;
    case exec::FaultKind::bad_call:
      return CUDA_ERROR_INVALID_PC;
    case exec::FaultKind::barrier:
    case exec::FaultKind::undefined:  // as boxes of tensor maps that lie wrongly
      return CUDA_ERROR_ILLEGAL_INSTRUCTION;
    default:
      return CUDA_ERROR_LAUNCH_FAILED;
  }
}

// As the driver does, a line for each thread; where that is in the PTX stands behind them.
void tell_assertion(std::string_view text) {
  const std::string kind = std::string(exec::name_of(exec::FaultKind::assertion)) + ": ";
  if (text.starts_with(kind)) text.remove_prefix(kind.size());
  std::fputs((std::string(text) + "\n").c_str(), stderr);
}

// Many programs go a little beyond their memory, and a GPU never tells them.
void tell_of_lenient(const device::Failed& failure) {
  const bool beyond =
      failure.fault == exec::FaultKind::out_of_bounds || failure.fault == exec::FaultKind::use_after_free;
  if (beyond && !driver().options.lenient)
    tell(
        "a GPU notices such an access only where no page of 2 MiB is mapped: `wedjat live --lenient` lets "
        "through what it would, and counts it");
}

// A launch is over for the program when it was asked for: the next call tells how it went, unless the program
// wants to wait for each.
bool waits_for_launches() {
  static const bool waits = [] {
    const char* const wish = std::getenv("CUDA_LAUNCH_BLOCKING");
    return wish != nullptr && std::string_view(wish) == "1";
  }();
  return waits;
}

CUresult kernel_failed(const device::Failed& failure) {
  if (!failure.fault) return CUDA_ERROR_INVALID_VALUE;
  driver().failed = code_of(*failure.fault);
  return waits_for_launches() ? driver().failed : CUDA_SUCCESS;
}

}  // namespace

Guard::Guard(bool per_thread) {
  held().per_thread = per_thread;
  if (!forked) held().lock = std::unique_lock(driver().mutex);
}

Guard::~Guard() {
  if (has_stand_in_) context_stack().pop_back();
  if (held().lock.owns_lock()) held().lock.unlock();
}

void Guard::check(Needs needs, bool tells) const {
  require(!ended(), CUDA_ERROR_DEINITIALIZED);
  if (needs == Needs::nothing) return;
  require(driver().initialized && !forked, CUDA_ERROR_NOT_INITIALIZED);
  const bool has_context =
      needs == Needs::context || (needs == Needs::object && current_context() != nullptr);
  if (has_context) context();
  if (tells && (has_context || needs == Needs::driver)) unharmed();
}

void Guard::stand_in(CUcontext instead, bool tells) {
  if (current_context() != nullptr || instead == nullptr) return;
  context_stack().push_back(instead);
  has_stand_in_ = true;
  if (tells) unharmed();
}

CUresult failure_of(Entry entry) noexcept {
  try {
    try {
      throw;
    } catch (const Failure& failure) {
      if (!failure.why.empty()) tell(fmt::format("{}: {}", name_of(entry), failure.why));
      return failure.code;
    } catch (const ptx::Error& error) {
      tell(fmt::format("{}: {}", name_of(entry), error.what()));
      return CUDA_ERROR_INVALID_PTX;
    } catch (const device::Failed& failure) {
      if (failure.fault == exec::FaultKind::assertion)
        tell_assertion(failure.what());
      else
        tell(fmt::format("{}: {}", name_of(entry), failure.what()));
      tell_of_lenient(failure);
      return kernel_failed(failure);
    } catch (const interposer::Unclear& unclear) {
      tell(fmt::format("{}: {}", name_of(entry), unclear.what()));
      return CUDA_ERROR_INVALID_VALUE;
    } catch (const std::bad_alloc&) {
      return CUDA_ERROR_OUT_OF_MEMORY;
    } catch (const std::exception& error) {
      tell(fmt::format("{}: {}", name_of(entry), error.what()));
      return CUDA_ERROR_INVALID_VALUE;
    }
  } catch (...) {
    return CUDA_ERROR_UNKNOWN;
  }
}

CUresult unsupported(Entry entry) noexcept {
  if (count_unsupported(entry)) {
    const bool strict = driver().options.strict;
    tell(fmt::format("{} is not carried out{}", name_of(entry),
                     strict ? ": the program ends here (--strict)" : ""));
    if (strict) {
      std::fflush(nullptr);
      ::_exit(4);
    }
  }
  return CUDA_ERROR_NOT_SUPPORTED;
}

void call_out(const std::function<void()>& function) {
  const bool per_thread = held().per_thread, is_locked = held().lock.owns_lock();
  if (is_locked) held().lock.unlock();
  function();
  if (is_locked) held().lock.lock();
  held().per_thread = per_thread;
}

void call_out(void (*function)(void*), void* data) {
  call_out([&] { function(data); });
}

bool is_forked() { return forked; }

bool default_is_per_thread() { return held().per_thread; }

}  // namespace wedjat::live
