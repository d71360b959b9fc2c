// Runs that go on from here in a process of their own.
#pragma once
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <new>

namespace fault_injection {

inline double processor_seconds(int who) {
  rusage used{};
  getrusage(who, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// An array that children write and their parent reads.
template <class T>
class SharedArray {
 public:
  explicit SharedArray(std::size_t count) : count_(count) {
    void* const place = mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) throw std::bad_alloc();
    all_ = static_cast<T*>(place);
  }
  ~SharedArray() { munmap(all_, bytes()); }
  SharedArray(const SharedArray&) = delete;
  SharedArray& operator=(const SharedArray&) = delete;
  T& operator[](std::size_t i) { return all_[i]; }

 private:
  std::size_t bytes() const { return sizeof(T) * count_ + 1; }
  std::size_t count_;
  T* all_ = nullptr;
};

/// fork(); the child prints nothing, and is ended by a signal after so much processor time (0: never). -1:
/// there is none to be had.
inline pid_t fork_quietly(double seconds) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child != 0) return child;
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  if (seconds > 0) {
    itimerval limit{};
    limit.it_value.tv_sec = static_cast<time_t>(seconds) + 1;
    setitimer(ITIMER_PROF, &limit, nullptr);
  }
  return 0;
}

}  // namespace fault_injection
