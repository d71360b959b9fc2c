#include "interposer/shim/ranges/known_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "interposer/shim/events/readers.h"

namespace wedjat::interposer {
namespace {

constexpr std::size_t kBlock = 64 << 10;
// A huge page is zeroed whole at its first touch: of smaller ranges often little is ever touched.
constexpr std::size_t kLarge = std::size_t{16} << 20;
// What one thread makes room for at a time.
constexpr std::size_t kPart = std::size_t{2} << 20;

std::size_t mapped_size(std::size_t size) { return std::max<std::size_t>(size, 1); }

}  // namespace

KnownMemory::KnownMemory(const std::byte* address, std::size_t size, FaultAccount& faults)
    : address_(address), size_(size), faults_(faults), touched_((size + kBlock - 1) / kBlock) {
  void* const memory = ::mmap(nullptr, mapped_size(size), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  copy_ = static_cast<std::byte*>(memory);
  ::madvise(memory, size, size < kLarge ? MADV_NOHUGEPAGE : MADV_HUGEPAGE);
}

KnownMemory::~KnownMemory() {
  wait_for_readers({copy_, size_});
  ::munmap(copy_, mapped_size(size_));
}

void KnownMemory::will_change(const std::byte* from, std::size_t size) const {
  wait_for_readers({at(from), size});
}

std::span<const std::uint8_t> KnownMemory::blocks(const std::byte* from, std::size_t size) const {
  const auto offset = static_cast<std::size_t>(from - address_);
  const std::size_t first = offset / kBlock;
  return std::span(touched_).subspan(first, (offset + size - 1) / kBlock + 1 - first);
}

bool KnownMemory::is_untouched(const std::byte* from, std::size_t size) const {
  return size == 0 || std::ranges::find(blocks(from, size), 1) == blocks(from, size).end();
}

void KnownMemory::touch(const std::byte* from, std::size_t size) {
  if (size == 0) return;
  will_change(from, size);
  const auto parts = blocks(from, size);
  if (std::ranges::find(parts, 0) == parts.end()) return;
  make_room(from, size);
  const auto first = touched_.begin() + (parts.data() - touched_.data());
  std::fill_n(first, parts.size(), std::uint8_t{1});
}

// Who is to change the copy meanwhile waits for that part of it, or does it.
void KnownMemory::prepare(std::size_t size, traces::Workers& workers) {
  read_aside(
      workers, {copy_, std::min(size, size_)}, kPart,
      [&faults = faults_](std::size_t, std::span<const std::byte> part) {
        faults.aside_begins();
        ::madvise(const_cast<std::byte*>(part.data()), part.size(), MADV_POPULATE_WRITE);
        faults.aside_ends();
      },
      [] {});
}

// Whole blocks: a page that is written later would be a fault of its own, which nobody expects.
void KnownMemory::make_room(const std::byte* from, std::size_t size) const {
  const OwnFaults own(faults_);
  const auto parts = blocks(from, size);
  const auto first = static_cast<std::size_t>(parts.data() - touched_.data()) * kBlock;
  ::madvise(copy_ + first, std::min(size_ - first, parts.size() * kBlock), MADV_POPULATE_WRITE);
}

}  // namespace wedjat::interposer
