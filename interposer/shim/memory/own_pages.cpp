#include "interposer/shim/memory/own_pages.h"

#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "interposer/shim/events/recorder.h"

namespace wedjat::interposer {
namespace {

// LTTng has a buffer for every processor there could ever be.
constexpr std::size_t kMost = std::size_t{512} << 20;

void populate_event_buffers() {
  std::FILE* const maps = std::fopen("/proc/self/maps", "re");
  if (maps == nullptr) return;
  char line[8192];
  std::size_t populated = 0;
  while (populated < kMost && std::fgets(line, sizeof line, maps) != nullptr) {
    std::uintptr_t from = 0, to = 0;
    if (std::strstr(line, "/dev/shm/shm-ust-") == nullptr ||
        std::sscanf(line, "%zx-%zx rw-s", &from, &to) != 2)
      continue;
    ::madvise(reinterpret_cast<void*>(from), to - from, MADV_POPULATE_WRITE);
    populated += to - from;
  }
  std::fclose(maps);
}

}  // namespace

void populate_own_pages() {
  static std::atomic<pid_t> populated{0};  // a child of fork has its own
  if (const pid_t process = ::getpid(); populated.exchange(process) == process) return;
  blobs().populate();
  populate_event_buffers();
}

}  // namespace wedjat::interposer
