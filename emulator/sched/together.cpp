// What a CTA counts where native code takes its warps phase by phase.
#include <algorithm>
#include <utility>

#include "emulator/sched/cta.h"

namespace wedjat::sched {

using exec::Left;

// Whether `phases_` has the warps. It can have taken them anew where a barrier was completed.
bool Cta::gather(exec::MemoryPort& port) {
  if (phases_->hold()) return true;
  if (begun_ != warps_.size() || std::exchange(gathered_, barriers_storage_.completed()) == gathered_)
    return false;
  return phases_->gather(*launch->native, port, cursor_);
}

// Warps go from the one at the cursor on, as far as one turn of each reaches.
std::optional<Stop> Cta::go_together(exec::MemoryPort& port, std::uint64_t until) {
  const auto used_before = static_cast<std::uint64_t>(given_ - share_);
  std::uint64_t room = until - std::min(until, cost_ + used_before);
  if (const std::uint64_t limit = launch->options.step_limit; limit != 0)
    room = std::min(room, limit - std::min(limit, steps));
  exec::Passage passage = exec::passage_through(port);
  passage.budget = share_;
  passage.share = shares_.warp;
  passage.room = room;
  const Phases::Gone gone = phases_->go(*launch->native, passage, cursor_);
  exec::add(*this, passage);
  unfinished_ -= gone.ends;
  if (passage.steps != 0) stalled_ = 0;
  if (gone.last != cursor_) {
    // The turns of those before it are over.
    const auto its_own = static_cast<std::uint64_t>(shares_.warp - passage.budget);
    cost_ += used_before + passage.used - its_own;
    given_ = shares_.warp;
    cursor_ = gone.last;
  }
  share_ = passage.budget;
  bool over = true;
  if (gone.complete) {
    over = false;
  } else if (gone.left != Left::at_barrier && gone.left != Left::ended) {
    const exec::Stand at = phases_->at(cursor_);
    phases_->part();
    if (gone.left != Left::refused) warps_[cursor_]->go_on(at, gone.left, passage);
    over = gone.left == Left::at_block && share_ <= 0;
  } else if (unfinished_ != 0 && phases_->all_came()) {
    phases_->part();
    const std::optional<exec::Stand> at = warps_[cursor_]->whole();
    over = !at || at->left == Left::at_barrier;
  }
  tell_progress(passage.steps);
  if (unfinished_ == 0) return Stop::finished;
  if (!over) return std::nullopt;
  cost_ += static_cast<std::uint64_t>(given_ - share_);
  check_limit();
  next_warp();
  if (cost_ > until) return Stop::budget;
  return std::nullopt;
}

}  // namespace wedjat::sched
