#include "interposer/shim/ranges/host_range.h"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "interposer/shim/ranges/page_faults.h"

namespace wedjat::interposer {
namespace {

constexpr std::size_t kBlock = 64 << 10;
// So much of what a graph copies from is read at a time.
constexpr std::size_t kWindow = 8 << 20;
// Managed memory up to this size may be where a running kernel and the host talk to each other, page by page
// to and fro: it is always compared whole.
constexpr std::size_t kSmall = 1 << 20;
// A page that is not protected is protected again when it was not written in so many looks.
constexpr unsigned kIdle = 64;

// Reads memory that may have been unmapped.
bool read_safely(const std::byte* from, std::span<std::byte> to) {
  iovec local{to.data(), to.size()};
  iovec remote{const_cast<std::byte*>(from), to.size()};
  return ::process_vm_readv(::getpid(), &local, 1, &remote, 1, 0) == static_cast<ssize_t>(to.size());
}

}  // namespace

HostRange::HostRange(traces::HostRangeKind kind, std::byte* address, std::size_t size, FaultAccount& faults)
    : kind_(kind), address_(address), size_(size), faults_(faults), known_(address, size, faults) {
  // What the driver gave out is mapped shared too, but here alone.
  const bool alone = kind == traces::HostRangeKind::registered && !has_other_mappings(begin(), end());
  if (kind == traces::HostRangeKind::pinned || alone) watch_ = std::make_unique<WriteWatch>(begin(), end());
}

Seen HostRange::changes(Look look, bool quiet, const ReadDevice& read, Comparison& comparison,
                        std::uint64_t wait) {
  if (kind_ == traces::HostRangeKind::graph) return {graph_changes(comparison), 0};
  if (kind_ == traces::HostRangeKind::managed) return managed_changes(look, quiet, read, comparison);
  return pinned_changes(look, quiet, comparison, wait);
}

void HostRange::compare(const PageRuns& runs, Comparison& comparison) {
  for (const auto& [first, last] : runs) compare(first, last, comparison);
}

void HostRange::ask(bool quiet) {
  if (!watch_) return;
  const bool armed = watch_->armed();
  // Asked even before a look at everything: what is recorded now needs not be recorded again.
  if (!(quiet && armed)) answer_ = Answer{armed, watch_->written(open_pages())};
}

PageRuns HostRange::open_pages() const {
  PageRuns pages;
  for (const Open& one : open_) pages.emplace_back(one.page, one.page + kWatchedPage);
  std::ranges::sort(pages);
  return pages;
}

void HostRange::compare_open(Comparison& comparison) {
  std::erase_if(open_, [&](Open& one) {
    const bool same = std::memcmp(one.page, known_.at(one.page), kWatchedPage) == 0;
    one.idle = same ? one.idle + 1 : 0;
    if (same && one.idle < kIdle) return false;
    if (same) watch_->protect(one.page);  // before it is compared for the last time
    compare(one.page, one.page + kWatchedPage, comparison);
    return same;
  });
}

Seen HostRange::pinned_changes(Look look, bool quiet, Comparison& comparison, std::uint64_t wait) {
  if (!answer_) ask(quiet);
  const std::optional<Answer> answer = std::exchange(answer_, std::nullopt);
  const bool unwritten = watch_ && !answer;
  if (look == Look::whole && wait != 0 && wait == wait_) {
    std::ranges::sort(learned_);
    compare(without({{begin(), end()}}, learned_), comparison);
  } else if (look == Look::whole || !(unwritten || (answer && answer->written))) {
    compare(begin(), end(), comparison);
  } else {
    if (!unwritten) compare(*answer->written, comparison);
    compare(watch_->edges(), comparison);
    compare_open(comparison);
  }
  return {true, answer && answer->armed && answer->written ? least_faults(*answer->written) : 0};
}

Seen HostRange::changes_near(const std::byte* address, std::size_t within, Comparison& comparison,
                             OftenWritten& often) {
  const auto written = watch_ ? watch_->written_near(address, within, open_pages()) : std::nullopt;
  if (!written) return {};
  compare(*written, comparison);
  for (const auto& [first, last] : *written) {
    if (static_cast<std::size_t>(last - first) != kWatchedPage || !often.again(first)) continue;
    comparison.finish();  // or it is found to differ once more
    const OwnFaults own(faults_);
    if (watch_->unprotect(first)) open_.push_back({first, 0});
  }
  return {true, least_faults(*written)};
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

Seen HostRange::managed_changes(Look look, bool quiet, const ReadDevice& read, Comparison& comparison) {
  if (look != Look::whole && quiet && present_.empty()) return {};
  const auto found = quiet ? still_present() : present_pages(begin(), end());
  if (!found) {
    compare_here(begin(), end(), comparison);
    return {};
  }
  const PageRuns before = std::exchange(present_, inside(*found));
  compare(present_, comparison);
  if (look == Look::whole || (look == Look::host && !quiet && size_ <= kSmall)) {
    for (const auto& [first, last] : without({{begin(), end()}}, present_))
      compare_device(first, last, read, comparison);
  } else if (look == Look::host) {
    // The host may have written what the device has taken away since.
    for (const auto& [first, last] : without(before, present_)) compare_device(first, last, read, comparison);
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

void HostRange::compare(const std::byte* first, const std::byte* last, Comparison& comparison) {
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
  workers.each((length + kBlock - 1) / kBlock, [&](std::size_t i) {
    const std::byte* part = first + i * kBlock;
    std::memcpy(known_.at(part), part, std::min(kBlock, length - i * kBlock));
  });
}

}  // namespace wedjat::interposer
