// Whether this is still the process that asked before: a child of fork is another one. Asks no kernel.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

namespace wedjat::interposer {

class ThisProcess {
 public:
  ThisProcess() : mark_(make_mark()) { begin(); }
  ThisProcess(const ThisProcess&) = delete;
  ThisProcess& operator=(const ThisProcess&) = delete;

  bool is_same() const { return mark_ != nullptr ? *mark_ != 0 : process_ == ::getpid(); }
  // From here on it is about this one.
  void begin() {
    if (mark_ != nullptr) *mark_ = 1;
    process_ = ::getpid();
  }

 private:
  // The kernel gives a child zeros there instead. It is there for good: calls come after static destructors.
  static char* make_mark() {
    constexpr std::size_t page = 4096;
    void* const memory = ::mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    if (::madvise(memory, page, MADV_WIPEONFORK) == 0) return static_cast<char*>(memory);
    ::munmap(memory, page);
    return nullptr;
  }

  volatile char* const mark_;
  pid_t process_ = 0;
};

}  // namespace wedjat::interposer
