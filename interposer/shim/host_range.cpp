#include "interposer/shim/host_range.h"

#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <vector>

namespace wedjat::interposer {
namespace {

constexpr std::size_t kBlock = 64 << 10;
// Changed bytes closer than this are told as one run: an event costs more than the few bytes between.
constexpr std::size_t kGap = 32;

// Reads memory that may have been unmapped.
bool read_safely(const std::byte* from, std::span<std::byte> to) {
  iovec local{to.data(), to.size()};
  iovec remote{const_cast<std::byte*>(from), to.size()};
  return ::process_vm_readv(::getpid(), &local, 1, &remote, 1, 0) == static_cast<ssize_t>(to.size());
}

}  // namespace

HostRange::HostRange(traces::HostRangeKind kind, std::byte* address, std::size_t size)
    : kind_(kind), address_(address), size_(size) {
  void* memory = ::mmap(nullptr, std::max<std::size_t>(size, 1), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  known_ = static_cast<std::byte*>(memory);
}

HostRange::~HostRange() { ::munmap(known_, std::max<std::size_t>(size_, 1)); }

bool HostRange::changes(const TellChange& tell) {
  std::vector<std::byte> copy;
  for (std::size_t offset = 0; offset < size_; offset += kBlock) {
    std::span<const std::byte> now(address_ + offset, std::min(kBlock, size_ - offset));
    if (kind_ == traces::HostRangeKind::graph) {
      // The application may free what a graph copied from without telling the driver.
      copy.resize(now.size());
      if (!read_safely(now.data(), copy)) return false;
      now = copy;
    }
    tell_changes(address_ + offset, now, known_ + offset, tell);
  }
  return true;
}

void tell_changes(const std::byte* address, std::span<const std::byte> now, std::byte* known,
                  const TellChange& tell) {
  if (std::memcmp(now.data(), known, now.size()) == 0) return;
  for (std::size_t i = 0; i < now.size();) {
    if (now[i] == known[i]) {
      ++i;
      continue;
    }
    std::size_t last = i;  // of the run
    for (std::size_t j = i + 1; j < now.size() && j - last <= kGap; ++j) {
      if (now[j] != known[j]) last = j;
    }
    const std::size_t size = last + 1 - i;
    // What is told is what is kept, even if the application writes meanwhile.
    std::memcpy(known + i, now.data() + i, size);
    tell(address + i, {known + i, size});
    i = last + 1;
  }
}

void HostRange::learn(const std::byte* from, std::size_t size) {
  const std::byte* first = std::max<const std::byte*>(from, begin());
  const std::byte* last = std::min<const std::byte*>(from + size, end());
  if (first < last) std::memcpy(known_ + (first - address_), first, static_cast<std::size_t>(last - first));
}

}  // namespace wedjat::interposer
