// What each thread has of its own, also while the program ends: handlers of atexit() and destructors of
// static objects still call the driver, when what is thread_local is gone.
#pragma once
#include <unistd.h>

#include <utility>

namespace wedjat::interposer {

/// `Whose` tells those of one type apart.
template <typename T, typename Whose>
T& of_this_thread() {
  thread_local T* own = nullptr;  // needs no destructor, so it stays
  struct End {
    ~End() {
      const bool ends_with_process = ::gettid() == ::getpid();
      if (!ends_with_process) delete std::exchange(own, nullptr);
    }
  };
  thread_local const End end;
  static_cast<void>(&end);
  if (own == nullptr) own = new T;
  return *own;  // NOLINT(clang-analyzer-cplusplus.NewDelete): `end` ends with the thread, not here
}

}  // namespace wedjat::interposer
