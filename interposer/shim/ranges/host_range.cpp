#include "interposer/shim/ranges/host_range.h"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "interposer/shim/ranges/side_by_side.h"

namespace wedjat::interposer {
namespace {

constexpr std::size_t kBlock = 64 << 10;
// So much of what a graph copies from is read at a time.
constexpr std::size_t kWindow = 8 << 20;
// Managed memory up to this size may be where a running kernel and the host talk to each other, page by page
// to and fro: it is always compared whole.
constexpr std::size_t kSmall = 1 << 20;

// Reads memory that may have been unmapped.
bool read_safely(const std::byte* from, std::span<std::byte> to) {
  iovec local{to.data(), to.size()};
  iovec remote{const_cast<std::byte*>(from), to.size()};
  return ::process_vm_readv(::getpid(), &local, 1, &remote, 1, 0) == static_cast<ssize_t>(to.size());
}

}  // namespace

HostRange::HostRange(traces::HostRangeKind kind, std::byte* address, std::size_t size, FaultAccount& faults)
    : kind_(kind), address_(address), size_(size), known_(address, size, faults) {
  // What the driver gave out is mapped shared too, but here alone, and so is all else in its pages.
  if (kind == traces::HostRangeKind::pinned)
    watch_ = std::make_unique<WriteWatch>(begin(), end(), WriteWatch::Ends::watched);
  else if (kind == traces::HostRangeKind::registered && !has_other_mappings(begin(), end()))
    watch_ = std::make_unique<WriteWatch>(begin(), end(), WriteWatch::Ends::unwatched);
}

bool HostRange::changes(Look look, bool quiet, const ReadDevice& read, Comparison& comparison,
                        std::uint64_t wait) {
  if (kind_ == traces::HostRangeKind::graph) return graph_changes(comparison);
  if (kind_ == traces::HostRangeKind::managed)
    managed_changes(look, quiet, read, comparison);
  else
    pinned_changes(look, comparison, wait);
  return true;
}

void HostRange::compare(const PageRuns& runs, Comparison& comparison) {
  for (const auto& [first, last] : runs) compare(first, last, comparison);
}

bool HostRange::is_same(const std::byte* first, const std::byte* last) const {
  first = std::max(first, begin());
  last = std::min(last, end());
  return first >= last || std::memcmp(first, known_.at(first), static_cast<std::size_t>(last - first)) == 0;
}

void HostRange::ask(bool quiet, std::uint64_t look, const PageRuns& open) {
  // Asked even before a look at everything: what is recorded now needs not be recorded again.
  if (watch_ && !(quiet && watch_->armed())) answer_ = watch_->written(look, open);
}

PageRuns HostRange::written_beside() const {
  PageRuns beside;
  if (!answer_ || !*answer_) return beside;
  for (const auto& [first, last] : **answer_) {
    if (first < begin()) beside.emplace_back(first, first + kWatchedPage);
    if (end() < last && (beside.empty() || beside.back().second < last))
      beside.emplace_back(last - kWatchedPage, last);
  }
  return beside;
}

void HostRange::also_written(const PageRuns& runs) {
  if (!watch_) return;
  if (!answer_) answer_ = PageRuns{};
  if (!*answer_) return;  // then all is compared
  PageRuns& all = **answer_;
  const PageRuns more = without(runs, all);
  all.insert(all.end(), more.begin(), more.end());
  std::ranges::sort(all);
}

void HostRange::pinned_changes(Look look, Comparison& comparison, std::uint64_t wait) {
  const std::optional<Written> answer = std::exchange(answer_, std::nullopt);
  if (look == Look::whole && wait != 0 && wait == wait_) {
    std::ranges::sort(learned_);
    compare(without({{begin(), end()}}, learned_), comparison);
  } else if (look == Look::whole || !watch_ || (answer && !*answer)) {
    compare(begin(), end(), comparison);
  } else {
    if (answer) compare(**answer, comparison);
    compare(watch_->edges(), comparison);
  }
}

// The application may free what a graph copied from without telling the driver.
bool HostRange::graph_changes(Comparison& comparison) {
  std::vector<std::byte> now(std::min(kWindow, size_));
  for (std::size_t offset = 0; offset < size_; offset += kWindow) {
    const std::span<std::byte> window(now.data(), std::min(kWindow, size_ - offset));
    std::atomic<bool> there{true};
    comparison.workers().each((window.size() + kBlock - 1) / kBlock, [&](std::size_t i) {
      const std::size_t at = i * kBlock;
      const auto part = window.subspan(at, std::min(kBlock, window.size() - at));
      if (!read_safely(address_ + offset + at, part)) there.store(false);
    });
    if (!there.load()) return false;
    comparison.add(known_, address_ + offset, window);
    comparison.finish();
  }
  return true;
}

void HostRange::managed_changes(Look look, bool quiet, const ReadDevice& read, Comparison& comparison) {
  if (look != Look::whole && quiet && present_.empty()) return;
  const auto found = quiet ? still_present() : present_pages(begin(), end());
  if (!found) return compare_here(begin(), end(), comparison);
  const PageRuns before = std::exchange(present_, inside(*found));
  compare(present_, comparison);
  if (look == Look::whole || (look == Look::host && !quiet && size_ <= kSmall)) {
    for (const auto& [first, last] : without({{begin(), end()}}, present_))
      compare_device(first, last, read, comparison);
  } else if (look == Look::host) {
    // The host may have written what the device has taken away since.
    for (const auto& [first, last] : without(before, present_)) compare_device(first, last, read, comparison);
  }
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

void HostRange::compare(const std::byte* first, const std::byte* last, Comparison& comparison) {
  first = std::max(first, begin());
  last = std::min(last, end());
  if (first < last) comparison.add(known_, first, {first, last});
}

// The device's memory passes through room that is used again.
void HostRange::compare_device(const std::byte* first, const std::byte* last, const ReadDevice& read,
                               Comparison& comparison) {
  // What is still here may follow meanwhile, and to look at it then would bring it back, page by page.
  comparison.finish();
  const std::byte* at = first;
  const auto take = [&](std::span<const std::byte> part) {
    comparison.add(known_, at, part);
    comparison.finish();
    at += part.size();
  };
  if (!read || !read(first, static_cast<std::size_t>(last - first), take)) compare_here(at, last, comparison);
}

// Reading it brings it here, where the host may write to it without a page fault.
void HostRange::compare_here(const std::byte* first, const std::byte* last, Comparison& comparison) {
  compare(first, last, comparison);
  present_ = {{begin(), end()}};
}

std::byte* HostRange::learned(const std::byte* from, std::size_t size, std::uint64_t wait) {
  if (std::exchange(wait_, wait) != wait) learned_.clear();
  learned_.emplace_back(from, from + size);
  known_.touch(from, size);
  return known_.at(from);
}

void HostRange::learn(const std::byte* from, std::size_t size, traces::Workers& workers) {
  const std::byte* first = std::max<const std::byte*>(from, begin());
  const std::byte* last = std::min<const std::byte*>(from + size, end());
  if (first >= last) return;
  const auto length = static_cast<std::size_t>(last - first);
  known_.touch(first, length);
  const Move move{{first, length}, known_.at(first)};
  copy_side_by_side({&move, 1}, workers);
}

}  // namespace wedjat::interposer
