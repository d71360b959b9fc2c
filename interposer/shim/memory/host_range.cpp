#include "interposer/shim/memory/host_range.h"

#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "interposer/shim/memory/page_faults.h"

namespace wedjat::interposer {
namespace {

constexpr std::size_t kBlock = 64 << 10;
// What differs side by side is recorded in one piece of at most so many blocks.
constexpr std::size_t kMostBlocks = 256;
// Changed bytes closer than this are recorded as one run: an event costs more than the few bytes between.
constexpr std::size_t kGap = 32;
// Managed memory up to this size may be where a running kernel and the host talk to each other, page by page
// to and fro: it is always compared whole.
constexpr std::size_t kSmall = 1 << 20;

// Waking threads takes longer than looking at so few blocks.
constexpr std::size_t kFewBlocks = 8;

constexpr std::byte kZeros[kBlock]{};

void each_block(traces::Workers& workers, std::size_t blocks, const std::function<void(std::size_t)>& body) {
  if (blocks > kFewBlocks) return workers.each(blocks, body);
  for (std::size_t i = 0; i < blocks; ++i) body(i);
}

// Reads memory that may have been unmapped.
bool read_safely(const std::byte* from, std::span<std::byte> to) {
  iovec local{to.data(), to.size()};
  iovec remote{const_cast<std::byte*>(from), to.size()};
  return ::process_vm_readv(::getpid(), &local, 1, &remote, 1, 0) == static_cast<ssize_t>(to.size());
}

// The first byte from `at` on that differs, or the size.
std::size_t first_difference(std::span<const std::byte> a, const std::byte* b, std::size_t at) {
  for (; at + 8 <= a.size(); at += 8) {
    std::uint64_t x, y;
    std::memcpy(&x, a.data() + at, 8);
    std::memcpy(&y, b + at, 8);
    if (x != y) break;
  }
  while (at < a.size() && a[at] == b[at]) ++at;
  return at;
}

// The last byte of the run of differences that begins at `at`.
std::size_t last_of_run(std::span<const std::byte> a, const std::byte* b, std::size_t at) {
  std::size_t last = at;
  for (std::size_t i = at + 1; i < a.size() && i - last <= kGap;) {
    std::uint64_t x = 0, y = 0;
    const std::size_t step = std::min<std::size_t>(8, a.size() - i);
    std::memcpy(&x, a.data() + i, step);
    std::memcpy(&y, b + i, step);
    if (x != y) {
      const int highest = 63 - __builtin_clzll(x ^ y);
      const int lowest = __builtin_ctzll(x ^ y);
      if (i + static_cast<std::size_t>(lowest / 8) - last > kGap) break;
      last = i + static_cast<std::size_t>(highest / 8);
    }
    i += step;
  }
  return last;
}

}  // namespace

void tell_changes(const std::byte* address, std::span<const std::byte> now, std::byte* known,
                  const TellChange& tell) {
  for (std::size_t i = first_difference(now, known, 0); i < now.size();) {
    const std::size_t size = last_of_run(now, known, i) + 1 - i;
    // What is recorded is what is kept, even if the application writes meanwhile.
    std::memcpy(known + i, now.data() + i, size);
    tell(address + i, {known + i, size});
    i = first_difference(now, known, i + size);
  }
}

PageRuns without(const PageRuns& runs, const PageRuns& others) {
  PageRuns result;
  auto other = others.begin();
  for (auto [first, last] : runs) {
    while (other != others.end() && other->second <= first) ++other;
    for (auto next = other; next != others.end() && next->first < last; ++next) {
      if (first < next->first) result.emplace_back(first, next->first);
      first = std::max(first, next->second);
    }
    if (first < last) result.emplace_back(first, last);
  }
  return result;
}

HostRange::HostRange(traces::HostRangeKind kind, std::byte* address, std::size_t size,
                     traces::Workers& workers)
    : kind_(kind), address_(address), size_(size), written_((size + kBlock - 1) / kBlock), workers_(workers) {
  void* memory = ::mmap(nullptr, std::max<std::size_t>(size, 1), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  known_ = static_cast<std::byte*>(memory);
  ::madvise(memory, size, MADV_HUGEPAGE);  // fewer page faults, which this process counts
  // What the driver gave out is mapped shared too, but here alone.
  const bool alone = kind == traces::HostRangeKind::registered && !has_other_mappings(begin(), end());
  if (kind == traces::HostRangeKind::pinned || alone) watch_ = std::make_unique<WriteWatch>(begin(), end());
}

HostRange::~HostRange() { ::munmap(known_, std::max<std::size_t>(size_, 1)); }

Seen HostRange::changes(Look look, bool quiet, const ReadDevice& read, const TellChange& tell,
                        std::uint64_t wait) {
  if (kind_ == traces::HostRangeKind::graph) return {graph_changes(tell), 0};
  if (kind_ == traces::HostRangeKind::managed) return managed_changes(look, quiet, read, tell);
  return pinned_changes(look, quiet, tell, wait);
}

void HostRange::compare(const PageRuns& runs, const TellChange& tell) {
  for (const auto& [first, last] : runs) compare(first, last, tell);
}

Seen HostRange::pinned_changes(Look look, bool quiet, const TellChange& tell, std::uint64_t wait) {
  const bool armed = watch_ && watch_->armed();
  if (look != Look::whole && quiet && armed) {
    compare(watch_->edges(), tell);
    return {};
  }
  // Asked even before a look at everything: what is recorded now needs not be recorded again.
  const auto written = watch_ ? watch_->written() : std::nullopt;
  if (look == Look::whole && wait != 0 && wait == wait_) {
    std::ranges::sort(learned_);
    compare(without({{begin(), end()}}, learned_), tell);
  } else if (look == Look::whole || !written) {
    compare(begin(), end(), tell);
  } else {
    compare(*written, tell);
    compare(watch_->edges(), tell);
  }
  return {true, armed && written ? least_faults(*written) : 0};
}

Seen HostRange::changes_near(const std::byte* address, const TellChange& tell) {
  const auto written = watch_ ? watch_->written_near(address) : std::nullopt;
  if (!written) return {};
  compare(*written, tell);
  return {true, least_faults(*written)};
}

// The application may free what a graph copied from without telling the driver.
bool HostRange::graph_changes(const TellChange& tell) {
  std::vector<std::byte> now;
  for (std::size_t offset = 0; offset < size_; offset += now.size()) {
    now.resize(std::min(kBlock, size_ - offset));
    if (!read_safely(address_ + offset, now)) return false;
    written(address_ + offset, now.size());
    tell_changes(address_ + offset, now, known_ + offset, tell);
  }
  return true;
}

Seen HostRange::managed_changes(Look look, bool quiet, const ReadDevice& read, const TellChange& tell) {
  if (look != Look::whole && quiet && present_.empty()) return {};
  const auto found = quiet ? still_present() : present_pages(begin(), end());
  if (!found) {
    compare_here(begin(), end(), tell);
    return {};
  }
  const PageRuns before = std::exchange(present_, inside(*found));
  compare(present_, tell);
  if (look == Look::whole || (look == Look::host && !quiet && size_ <= kSmall)) {
    for (const auto& [first, last] : without({{begin(), end()}}, present_))
      compare_device(first, last, read, tell);
  } else if (look == Look::host) {
    // The host may have written what the device has taken away since.
    for (const auto& [first, last] : without(before, present_)) compare_device(first, last, read, tell);
  }
  return {true, least_faults_to_fetch(without(present_, before))};
}

// Without a page fault none have come.
std::optional<PageRuns> HostRange::still_present() const {
  PageRuns still;
  for (const auto& [first, last] : present_) {
    const auto found = present_pages(first, last);
    if (!found) return std::nullopt;
    still.insert(still.end(), found->begin(), found->end());
  }
  return still;
}

PageRuns HostRange::inside(const PageRuns& runs) const {
  PageRuns result;
  for (const auto& [first, last] : runs)
    if (first < end() && begin() < last) result.emplace_back(std::max(first, begin()), std::min(last, end()));
  return result;
}

void HostRange::compare(const std::byte* first, const std::byte* last, const TellChange& tell) {
  if (first < last) compare(first, {first, last}, tell);
}

void HostRange::compare(const std::byte* address, std::span<const std::byte> now, const TellChange& tell) {
  enum class Found : std::uint8_t { same, differs, differs_throughout };
  const std::size_t size = now.size();
  std::vector<Found> found((size + kBlock - 1) / kBlock);
  each_block(workers_, found.size(), [&](std::size_t i) {
    const auto block = now.subspan(i * kBlock, std::min(kBlock, size - i * kBlock));
    std::byte* const mine = known(address + i * kBlock);
    const std::byte* const before = is_written(address + i * kBlock, block.size()) ? mine : kZeros;
    if (std::memcmp(block.data(), before, block.size()) == 0) return;
    found[i] = Found::differs;
    if (first_difference(block, before, 0) != 0 || last_of_run(block, before, 0) + 1 != block.size()) return;
    found[i] = Found::differs_throughout;
    std::memcpy(mine, block.data(), block.size());
  });
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] == Found::same) continue;
    std::size_t behind = i + 1;
    while (behind < found.size() && found[behind] == found[i] && behind - i < kMostBlocks) ++behind;
    const std::byte* const from = address + i * kBlock;
    const auto part = now.subspan(i * kBlock, std::min(behind * kBlock, size) - i * kBlock);
    written(from, part.size());
    if (found[i] == Found::differs)
      tell_changes(from, part, known(from), tell);
    else
      tell(from, {known(from), part.size()});
    i = behind - 1;
  }
}

bool HostRange::is_written(const std::byte* from, std::size_t size) const {
  const auto first = static_cast<std::size_t>(from - address_) / kBlock;
  const auto last = (static_cast<std::size_t>(from - address_) + size - 1) / kBlock;
  return std::find(written_.begin() + static_cast<std::ptrdiff_t>(first),
                   written_.begin() + static_cast<std::ptrdiff_t>(last) + 1,
                   true) != written_.begin() + static_cast<std::ptrdiff_t>(last) + 1;
}

void HostRange::written(const std::byte* from, std::size_t size) {
  if (size == 0) return;
  const auto offset = static_cast<std::size_t>(from - address_);
  std::fill(written_.begin() + static_cast<std::ptrdiff_t>(offset / kBlock),
            written_.begin() + static_cast<std::ptrdiff_t>((offset + size - 1) / kBlock) + 1, true);
}

void HostRange::compare_device(const std::byte* first, const std::byte* last, const ReadDevice& read,
                               const TellChange& tell) {
  const std::byte* at = first;
  const auto take = [&](std::span<const std::byte> part) {
    compare(at, part, tell);
    at += part.size();
  };
  if (!read || !read(first, static_cast<std::size_t>(last - first), take)) compare_here(at, last, tell);
}

// Reading it brings it here, where the host may write to it without a page fault.
void HostRange::compare_here(const std::byte* first, const std::byte* last, const TellChange& tell) {
  compare(first, last, tell);
  present_ = {{begin(), end()}};
}

std::byte* HostRange::learned(const std::byte* from, std::size_t size, std::uint64_t wait) {
  if (std::exchange(wait_, wait) != wait) learned_.clear();
  learned_.emplace_back(from, from + size);
  written(from, size);
  return known(from);
}

void HostRange::learn(const std::byte* from, std::size_t size) {
  const std::byte* first = std::max<const std::byte*>(from, begin());
  const std::byte* last = std::min<const std::byte*>(from + size, end());
  if (first >= last) return;
  const auto length = static_cast<std::size_t>(last - first);
  written(first, length);
  each_block(workers_, (length + kBlock - 1) / kBlock, [&](std::size_t i) {
    const std::byte* part = first + i * kBlock;
    std::memcpy(known(part), part, std::min(kBlock, length - i * kBlock));
  });
}

}  // namespace wedjat::interposer
