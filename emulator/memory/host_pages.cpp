#include "emulator/memory/host_pages.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <new>

namespace wedjat::memory {

namespace {
// Below this, a system call and a page of its own cost more than clearing.
constexpr std::size_t least_mapping = 64 * 1024;
}  // namespace

bool HostPages::mapped() const { return size_ >= least_mapping; }

HostPages::HostPages(std::size_t size) : size_(size) {
  if (size == 0) return;
  if (mapped()) {
    void* at =
        mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) throw std::bad_alloc();
    data_ = static_cast<std::byte*>(at);
    return;
  }
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  data_ = static_cast<std::byte*>(std::aligned_alloc(alignment, rounded));
  if (data_ == nullptr) throw std::bad_alloc();
  std::memset(data_, 0, rounded);
}

void HostPages::clear() {
  if (data_ == nullptr) return;
  if (!mapped() || madvise(data_, size_, MADV_DONTNEED) != 0) std::memset(data_, 0, size_);
}

HostPages::~HostPages() {
  if (data_ == nullptr) return;
  if (mapped())
    munmap(data_, size_);
  else
    std::free(data_);
}

}  // namespace wedjat::memory
