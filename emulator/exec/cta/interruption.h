// Somebody wants the running launch to end.
#pragma once
#include <atomic>

namespace wedjat::exec {

/// The signal that asked for it; 0: none. Launches look at it now and then, and fail with
/// FaultKind::interrupted.
inline std::atomic<int> interruption{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler sets it");

}  // namespace wedjat::exec
