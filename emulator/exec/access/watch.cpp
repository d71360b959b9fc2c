#include "emulator/exec/access/watch.h"

#include <algorithm>

namespace wedjat::exec {

namespace {

// What lies before an allocation in its first line belongs to it too (memory/host_pages.h).
std::uintptr_t begin_of(const memory::Extent& extent) {
  return reinterpret_cast<std::uintptr_t>(extent.host) / TouchedPage::line * TouchedPage::line;
}
std::uintptr_t end_of(const memory::Extent& extent) {
  return reinterpret_cast<std::uintptr_t>(extent.host) + extent.size;
}

// What an allocation has of a page, and of that the bytes [first, last).
struct Piece {
  std::uintptr_t page, begin, end, first, last;
};

template <class Each>
void for_pieces(const memory::Extent& extent, std::uintptr_t from, std::uint64_t bytes, const Each& each) {
  for (const std::uintptr_t last = from + bytes; from < last;) {
    const std::uintptr_t page = from / TouchedPage::bytes * TouchedPage::bytes,
                         next = page + TouchedPage::bytes;
    each(Piece{page, std::max(page, begin_of(extent)), std::min(next, end_of(extent)), from,
               std::min(next, last)});
    from = next;
  }
}

// An allocation that is only updated and no larger is kept whole; its updates need no notes.
constexpr std::uint64_t kept_whole = 64 * 1024;

UpdateAlgebra known_algebra(kernel::Executor executor, const UpdateRunner& runner) {
  static std::mutex mutex;
  static std::unordered_map<kernel::Executor, UpdateAlgebra> known;
  const std::lock_guard lock(mutex);
  const auto [place, is_new] = known.try_emplace(executor);
  if (is_new) place->second = algebra_of(runner);
  return place->second;
}

}  // namespace

KernelUpdates::KernelUpdates(const kernel::Kernel& kernel)
    : touches(kernel.origins.size(), Touch::write), ordered(kernel.ordered) {
  // Steps with one executor are one operation, whatever scopes they name. Where a kernel has more operations
  // than there are numbers, the rest count as writes.
  std::unordered_map<kernel::Executor, std::uint8_t> numbers;
  for (const kernel::Function& function : kernel.functions)
    for (const kernel::Step& step : function.steps) {
      const auto runner = UpdateRunner::of(kernel, function, step);
      if (!runner || numbers.size() + Touch::first_update >= Touch::kinds) continue;
      const UpdateAlgebra algebra = known_algebra(step.form->full, *runner);
      if (!algebra.commutes) continue;
      const auto next = static_cast<std::uint8_t>(Touch::first_update + numbers.size());
      touches[step.id] = numbers.try_emplace(step.form->full, next).first->second;
      updates.emplace(step.id, Update{*runner, algebra});
    }
}

LaunchWatch::LaunchWatch(const KernelUpdates& updates, bool every_read, std::uint64_t undo_limit, bool owned,
                         const WrittenAs* before)
    : updates_(updates),
      every_read_(every_read),
      ordered_(updates.ordered),
      owned_(owned),
      knows_(before != nullptr),
      turn_(footprints_.emplace_back(Phase::turn, ordered_, owned_)),
      undo_(undo_limit) {
  if (before == nullptr) return;
  for (const auto& [host, touch] : *before) allocations_[host] = {.flags = written, .touch = touch};
}

WrittenAs LaunchWatch::written_as() const {
  WrittenAs result;
  for (const auto& [host, conduct] : allocations_)
    if (conduct.flags & written) result.emplace(host, conduct.touch);
  return result;
}

bool LaunchWatch::follow(const memory::Extent& extent, Use use, std::uint8_t touch, bool learning) {
  const std::lock_guard lock(mutex_);
  Conduct& conduct = allocations_[extent.host];
  const auto miss = [&] {
    missed_reads_ = true;
    abandon();
  };
  if (use == Use::read) {
    if (conduct.flags & updated_unnoted) miss();
    const bool noted = learning || (conduct.flags & written) != 0;
    conduct.flags |= noted ? read_noted : read_unnoted;
    return noted;
  }
  if (conduct.flags & read_unnoted) miss();
  const bool other = (conduct.flags & updated_unnoted) != 0 && conduct.touch != touch;
  if (use == Use::write ? (conduct.flags & updated_unnoted) != 0 : other) miss();
  if (conduct.flags & updated_unnoted) return false;
  const bool alone = use == Use::update && touch != Touch::write && !ordered_ && !owned_ && !learning &&
                     extent.size <= kept_whole && (conduct.flags & read_noted) == 0 &&
                     (conduct.touch == 0 || conduct.touch == touch);
  conduct.flags |= written;
  conduct.touch = conduct.touch == 0 || conduct.touch == touch ? touch : Touch::write;
  if (!alone) return true;
  conduct.flags |= updated_unnoted;
  for_pieces(extent, begin_of(extent), end_of(extent) - begin_of(extent), [&](const Piece& piece) {
    keep(reinterpret_cast<std::byte*>(piece.begin), piece.end - piece.begin);
  });
  return false;
}

Footprint& LaunchWatch::make(Phase phase) {
  const std::lock_guard lock(mutex_);
  return footprints_.emplace_back(phase, ordered_, owned_);
}

void LaunchWatch::keep(std::byte* at, std::size_t size) {
  if (!undo_.keep(at, size)) abandon();
}

void LaunchWatch::abandon() {
  abandoned_ = true;
  throw Abandoned{};
}

void Watch::enter(Footprint* own, std::uint64_t cluster) {
  cluster_ = static_cast<std::uint32_t>(cluster);
  if (own == nullptr && common_ == nullptr) common_ = &launch_.make(Phase::before);
  base_ = current_ = own != nullptr ? own : common_;
}

std::optional<memory::Extent> Watch::stand_in(const memory::Extent& extent, std::uint32_t step_id) {
  const KernelUpdates::Update* const update = launch_.update_of(step_id);
  return update != nullptr ? parts_.stand_in(extent, update->runner, update->algebra) : std::nullopt;
}

Footprint* Watch::part() { return std::exchange(common_, nullptr); }

void Watch::mark(TouchedPage& page, unsigned first, unsigned bytes) const {
  constexpr unsigned size = TouchedPage::line;
  if (page.owners)
    for (unsigned word = first / 4; word <= (first + bytes - 1) / 4; ++word) {
      std::uint32_t& owner = (*page.owners)[word];
      owner = owner == TouchedPage::nobody || owner == cluster_ ? cluster_ : TouchedPage::several;
    }
  for (unsigned line = first / size; bytes != 0; ++line) {
    const unsigned bit = first % size, count = std::min(size - bit, bytes);
    page.touched[line] |= (~std::uint64_t{0} >> (size - count)) << bit;
    if (page.stamps) {
      TouchedPage::Stamp& stamp = (*page.stamps)[line];
      stamp.least = std::min(stamp.least, cluster_);
      stamp.greatest = std::max(stamp.greatest, cluster_);
      stamp.turned = std::min(stamp.turned, launch_.turned.load(std::memory_order_relaxed));
    }
    bytes -= count;
    first = 0;
  }
}

void Watch::note(const memory::Extent& extent, Use use, std::uint32_t step_id, std::byte* at,
                 std::uint64_t bytes) {
  const std::uint8_t touch = launch_.touch_of(use, step_id);
  for_pieces(extent, reinterpret_cast<std::uintptr_t>(at), bytes, [&](const Piece& piece) {
    const auto [page, is_new] = current_->page(piece.begin | touch);
    if (is_new && touch != Touch::read)
      launch_.keep(reinterpret_cast<std::byte*>(piece.begin), piece.end - piece.begin);
    mark(*page, static_cast<unsigned>(piece.first - piece.page),
         static_cast<unsigned>(piece.last - piece.first));
  });
}

}  // namespace wedjat::exec
