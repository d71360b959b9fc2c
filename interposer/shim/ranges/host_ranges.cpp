#include "interposer/shim/ranges/host_ranges.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

namespace wedjat::interposer {
namespace {

// So many are worth waking threads for, to ask the kernel of them.
constexpr std::size_t kManyRanges = 32;

// Asking takes as long as the pages are many.
constexpr std::size_t kNear = std::size_t{256} << 10, kAround = std::size_t{2} << 20;

}  // namespace

void HostRanges::changed() {
  count_ = by_address_.size();
  loud_known_ = false;
}

HostRange& HostRanges::add(traces::HostRangeKind kind, std::byte* address, std::size_t size) {
  if (HostRange* const before = beginning_at(address)) remove(*before);
  auto range = std::make_unique<HostRange>(kind, address, size, faults_);
  HostRange& added = *(by_address_[address] = std::move(range));
  bytes_ += size;
  if (kind == traces::HostRangeKind::graph) ++graphs_;
  changed();
  return added;
}

void HostRanges::remove(HostRange& range) {
  const auto place = by_address_.find(range.begin());
  const std::unique_ptr<HostRange> removed = std::move(place->second);
  bytes_ -= removed->size();
  if (removed->kind() == traces::HostRangeKind::graph) --graphs_;
  by_address_.erase(place);
  changed();
  WriteWatch* const watch = removed->watch();
  if (watch == nullptr) return;
  watch->leave(is_watched_at(watch->first()), is_watched_at(watch->last() - kWatchedPage));
  open_.close_if([&](const std::byte* page) { return !is_watched_at(page); });
}

HostRange* HostRanges::at(const std::byte* address) const {
  const auto above = by_address_.upper_bound(address);
  if (above == by_address_.begin()) return nullptr;
  HostRange& range = *std::prev(above)->second;
  return address < range.end() ? &range : nullptr;
}

HostRange* HostRanges::beginning_at(const std::byte* address) const {
  const auto found = by_address_.find(address);
  return found == by_address_.end() ? nullptr : found->second.get();
}

std::vector<HostRange*> HostRanges::every_one() const {
  std::vector<HostRange*> all;
  for (const auto& [begin, range] : by_address_) all.push_back(range.get());
  return all;
}

std::vector<HostRange*> HostRanges::graphs() const {
  std::vector<HostRange*> all;
  if (graphs_ == 0) return all;
  for (const auto& [begin, range] : by_address_)
    if (range->kind() == traces::HostRangeKind::graph) all.push_back(range.get());
  return all;
}

// Those that are watched and have a part there.
std::vector<HostRange*> HostRanges::those_at(const std::byte* first, const std::byte* last) const {
  std::vector<HostRange*> there;
  auto place = by_address_.upper_bound(first);
  if (place != by_address_.begin()) --place;
  for (; place != by_address_.end() && place->first < last; ++place)
    if (place->second->watch() != nullptr && first < place->second->end())
      there.push_back(place->second.get());
  return there;
}

bool HostRanges::is_watched_at(const std::byte* page) const {
  return std::ranges::any_of(those_at(page, page + kWatchedPage), [&](const HostRange* range) {
    return range->watch()->first() <= page && page < range->watch()->last();
  });
}

const std::vector<HostRange*>& HostRanges::those_loud() {
  if (!loud_known_) loud_ = every_one();
  loud_known_ = true;
  std::erase_if(loud_, [](const HostRange* range) { return range->is_silent(); });
  return loud_;
}

void HostRanges::host_wrote_at(const std::byte* address) {
  if (std::ranges::find(written_, address) != written_.end()) return;
  std::copy_backward(written_.begin(), written_.end() - 1, written_.end());
  written_[0] = address;
}

void HostRanges::compare(const PageRuns& written, Comparison& comparison) {
  for (const auto& [first, last] : written)
    for (HostRange* const range : those_at(first, last)) range->compare(first, last, comparison);
}

// How many page faults what was written there explains.
std::uint64_t HostRanges::look_near(HostRange& range, const std::byte* address, std::size_t within,
                                    Comparison& comparison) {
  WriteWatch* const watch = range.watch();
  const auto written = watch ? watch->written_near(address, within, looks_, open_.runs()) : std::nullopt;
  if (!range.is_silent()) loud_known_ = false;  // the kernel does not tell of it any more
  if (!written || written->empty()) return 0;
  comparison.workers().interrupted();  // pages were protected
  compare(*written, comparison);
  for (const auto& [first, last] : *written) {
    if (last - first != kWatchedPage || !open_.is_often_written(first)) continue;
    comparison.finish();  // or it is found to differ once more
    const OwnFaults own(faults_);
    if (watch->unprotect(first)) open_.add(first);
  }
  return least_faults(*written);
}

// Looks where the host has probably written: within so many bytes of the pointers that the call hands over,
// and of where it wrote before. True if that, with `faults` before, explains all page faults since the last
// look.
bool HostRanges::look_within(std::size_t size, std::span<const std::byte> pointers, Comparison& comparison,
                             std::uint64_t& faults) {
  const std::byte* last = nullptr;
  const auto look = [&](const std::byte* address) {
    HostRange* const range = address == last ? nullptr : at(address);
    if (range == nullptr) return false;
    last = address;
    const std::uint64_t explained = look_near(*range, address, size, comparison);
    faults += explained;
    return explained > 0 && faults_.all_explained(faults);
  };
  for (std::size_t at = 0; at + sizeof(void*) <= pointers.size(); at += sizeof(void*)) {
    const std::byte* address = nullptr;
    std::memcpy(&address, pointers.data() + at, sizeof address);
    if (look(address)) return true;
  }
  return std::ranges::any_of(written_, look);
}

bool HostRanges::look_nearby(std::span<const std::byte> pointers, Comparison& comparison) {
  std::uint64_t faults = 0;
  return look_within(kNear, pointers, comparison, faults) ||
         look_within(kAround, pointers, comparison, faults);
}

void HostRanges::look_at_open(Comparison& comparison) {
  if (open_.runs().empty()) return;
  PageRuns differing;
  const auto is_same = [&](const std::byte* page) {
    const std::byte* const behind = page + kWatchedPage;
    const bool same = std::ranges::all_of(
        those_at(page, behind), [&](const HostRange* range) { return range->is_same(page, behind); });
    if (!same) differing.emplace_back(page, behind);
    return same;
  };
  for (const std::byte* const page : open_.close_idle(is_same)) {
    for (HostRange* const range : those_at(page, page + kWatchedPage)) range->watch()->protect(page);
    differing.emplace_back(page, page + kWatchedPage);  // it may have been written until now
  }
  compare(differing, comparison);
  comparison.finish();
}

void HostRanges::ask(const std::vector<HostRange*>& which, bool quiet, Comparison& comparison) {
  const auto ask = [&](std::size_t i) { which[i]->ask(quiet, looks_, open_.runs()); };
  if (which.size() >= kManyRanges)
    comparison.workers().each(which.size(), ask);
  else
    for (std::size_t i = 0; i < which.size(); ++i) ask(i);
  for (HostRange* const range : which) {
    const PageRuns beside = range->written_beside();
    for (const auto& [first, last] : beside)
      for (HostRange* const other : those_at(first, last))
        if (other != range) other->also_written({{first, last}});
  }
}

bool HostRanges::begin_look(Look look) {
  ++looks_;
  quiet_ = faults_.quiet_since_last();
  if (!quiet_ || look == Look::whole || by_address_.empty() || !open_.runs().empty() || !those_loud().empty())
    return false;
  faults_.end();
  return true;
}

HostRanges::Result HostRanges::look(const Task& task, Comparison& comparison) {
  const bool whole = task.look == Look::whole;
  bool quiet = quiet_;
  if (!quiet && !whole) quiet = look_nearby(task.pointers, comparison);
  comparison.finish();
  if (!whole) look_at_open(comparison);
  Result result{!by_address_.empty(), {}};
  const bool loud_only = quiet && !whole;
  const std::vector<HostRange*> which = loud_only ? those_loud() : every_one();
  if (!loud_only) loud_known_ = false;
  if (!which.empty()) {
    const OwnFaults own(faults_);
    ask(which, quiet, comparison);
    for (HostRange* const range : which) {
      if (range->kind() == traces::HostRangeKind::graph && !task.graphs) continue;
      const bool looks = task.may_look(*range);
      result.complete = result.complete && looks;
      const bool is_quiet =
          quiet && (range->kind() != traces::HostRangeKind::managed || !task.pages_may_come);
      if (looks && !range->changes(task.look, is_quiet, task.read, comparison, task.wait))
        result.gone.push_back(range);
    }
    comparison.finish();
  }
  faults_.end();
  return result;
}

}  // namespace wedjat::interposer
