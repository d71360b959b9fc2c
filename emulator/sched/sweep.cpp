// What a CTA does where native code takes several of its warps: those that have not begun, one after the
// other, and those that meet at barriers, phase by phase.
#include "emulator/exec/warp/sweep.h"

#include <algorithm>
#include <utility>

#include "emulator/exec/warp/probe.h"
#include "emulator/exec/warp/rows.h"
#include "emulator/sched/cta.h"

namespace wedjat::sched {

using exec::Left;

namespace {

// If code often stops on the way there are better ways to run the kernel.
constexpr std::uint64_t many_stops = 64;
// CTAs after another that it takes at once: enough that what surrounds it does not count.
constexpr std::uint32_t most_followers = 31;

bool has_number(const kernel::RowFill& fill) {
  using Source = kernel::RowFill::Source;
  return fill.element_bytes <= 8 && fill.source != Source::Local && fill.source != Source::LocalGeneric;
}

}  // namespace

void Cta::begin_warps() {
  begun_ = 0;
  const bool sweeps = may_sweep_ && launch->native->sweep.load(std::memory_order_acquire) != nullptr &&
                      (stopped_ < many_stops || stopped_ < swept_);
  if (!sweeps) {
    if (phases_->had_all())
      exec::Warp::begin_again(warps_);
    else
      for (const auto& warp : warps_) warp->begin();
    begun_ = warps_.size();
    return;
  }
  const std::vector<kernel::RowFill>& fills = launch->kernel.functions.front().fills;
  if (!of_cta_.empty() || fills.empty()) {
    for (const std::uint32_t i : renewed_) of_cta_[i] = exec::first_lane(fills[i], *this, 0);
    return;
  }
  of_cta_.resize(fills.size() * (1 + most_followers));
  of_warps_.resize(fills.size() * warps_.size());
  for (std::uint32_t i = 0; i < fills.size(); ++i) {
    if (!has_number(fills[i])) continue;
    if (exec::lifetime(fills[i], false) != exec::Lifetime::launch) renewed_.push_back(i);
    of_cta_[i] = exec::first_lane(fills[i], *this, 0);
    for (std::uint32_t warp = 0; warp < warps_.size(); ++warp)
      of_warps_[warp * fills.size() + i] = exec::first_lane(fills[i], *this, warp);
  }
  for (std::uint32_t k = 1; k <= most_followers; ++k)
    std::copy_n(of_cta_.begin(), fills.size(),
                of_cta_.begin() + k * static_cast<std::ptrdiff_t>(fills.size()));
}

std::byte* Cta::begin_next(exec::Sweep& sweep) {
  Cta& cta = *static_cast<Cta*>(sweep.owner);
  cta.come_to(sweep);
  exec::Warp& warp = *cta.warps_[sweep.next];
  warp.begin();
  return warp.rows();
}

// How many of `followers_` code may take behind all warps of this one, of which `whole` are whole.
std::uint32_t Cta::may_follow(std::uint32_t whole) const {
  if (followers_ == nullptr || begun_ != 0 || whole != warps_.size() || launch->observer != nullptr ||
      shared_.size() != 0 || (watch_ != nullptr && watch_->tells_clusters_apart()))
    return 0;
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(followers_->end - followers_->next, most_followers));
}

// What differs between them, behind what this one has.
void Cta::list_followers(std::uint32_t count) {
  const std::vector<kernel::RowFill>& fills = launch->kernel.functions.front().fills;
  const exec::Dim3 first = ctaid;
  const std::uint64_t cluster = cluster_, first_index = index;
  for (std::uint32_t k = 1; k <= count; ++k) {
    follow();
    for (const std::uint32_t i : renewed_)
      of_cta_[k * fills.size() + i] = exec::first_lane(fills[i], *this, 0);
  }
  ctaid = first;
  index = first_index;
  cluster_ = cluster;
}

// It is the next one. There are no clusters, and no order of CTAs but this, where code takes several.
void Cta::follow() {
  ++index;
  ++cluster_;
  if (++ctaid.x != launch->grid.x) return;
  ctaid.x = 0;
  if (++ctaid.y != launch->grid.y) return;
  ctaid.y = 0;
  ++ctaid.z;
}

void Cta::come_to(const exec::Sweep& sweep) {
  for (; swept_ctas_ != sweep.cta; ++swept_ctas_) follow();
}

// Of those that code has taken wholly nothing is left but what they ran.
void Cta::come_behind(const exec::Sweep& swept) {
  come_to(swept);
  followers_->next += swept.cta;
  ctas_ += swept.cta;
  swept_ += swept.cta * warps_.size();
  earlier_steps_ += swept.earlier_steps;
  steps -= swept.earlier_steps;
  const std::size_t row = swept.cta * launch->kernel.functions.front().fills.size();
  for (const std::uint32_t i : renewed_) of_cta_[i] = of_cta_[row + i];
}

// `room`: steps after which others have to run.
void Cta::sweep(exec::MemoryPort& port, std::uint64_t room) {
  const exec::SweepCode code = launch->native->sweep.load(std::memory_order_acquire);
  const std::uint64_t threads = launch->block.count();
  const auto whole = static_cast<std::uint32_t>(std::max<std::uint64_t>(threads / exec::lanes, 1));
  if (code == nullptr || begun_ >= whole) return warps_[begun_++]->begin();
  const std::uint64_t limit = launch->options.step_limit;
  if (limit != 0) room = std::min(room, limit - std::min(limit, steps));
  exec::Member stopped{.warp = &warps_[begun_]->context(port)};
  const std::uint32_t followers = may_follow(whole);
  list_followers(followers);
  swept_ctas_ = 0;
  exec::Sweep swept{.passage = exec::passage_through(port),
                    .of_cta = of_cta_.data(),
                    .of_warp = of_warps_.data(),
                    .next = static_cast<std::uint32_t>(begun_),
                    .end = whole,
                    .ctas = 1 + followers,
                    .runs = runs_.data(),
                    .begin = begin_next,
                    .owner = this,
                    .watched = watched};
  exec::Passage& passage = swept.passage;
  passage.member = &stopped;
  passage.mask = launch->native->whole;
  passage.rival = ~0u;
  passage.budget = passage.share = share_;
  passage.room = room;
  const Left left = code(swept);
  for (std::uint32_t i = 0; i < swept.runs_used; ++i) exec::tell_run(*stopped.warp, runs_[i]);
  exec::add(*this, passage);
  if (swept.cta != 0) come_behind(swept);
  const bool stops = left != Left::ended;
  // What the one that it stopped in used counts when its turn is over.
  cost_ +=
      passage.used - swept.earlier_steps - (stops ? static_cast<std::uint64_t>(share_ - passage.budget) : 0);
  unfinished_ -= swept.next - begun_;
  swept_ += swept.next - begun_;
  begun_ = cursor_ = swept.next;
  stalled_ = 0;
  tell_progress(passage.steps);
  if (!stops) {
    if (cursor_ == warps_.size()) cursor_ = 0;
    // Nobody asks how many steps a CTA ran that has ended.
    if (unfinished_ != 0) check_limit();
    return;
  }
  ++stopped_;
  share_ = passage.budget;
  warps_[begun_++]->go_on(stopped, left, passage);
  if (left != Left::at_block) return;
  // Its share is over.
  cost_ += static_cast<std::uint64_t>(given_ - share_);
  check_limit();
  next_warp();
}

// Whether `phases_` has the warps. It can have taken them anew where a barrier was completed.
bool Cta::gather(exec::MemoryPort& port) {
  if (phases_->hold()) return true;
  if (!launch->native->has_any.load(std::memory_order_relaxed)) return false;
  const std::uint64_t looked_at = std::exchange(gathered_, barriers_storage_.completed());
  if (begun_ != warps_.size() || looked_at == gathered_) return false;
  return phases_->gather(*launch->native, port, cursor_, watched);
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
  if (gone.others) {
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
    const exec::Member member = phases_->member(cursor_);
    phases_->part();
    if (gone.left != Left::refused) warps_[cursor_]->go_on(member, gone.left, passage);
    over = gone.left == Left::at_block && share_ <= 0;
  } else if (unfinished_ != 0 && phases_->all_came()) {
    phases_->part();
    const std::optional<exec::Stand> at = warps_[cursor_]->whole();
    over = !at || at->left == Left::at_barrier;
  }
  tell_progress(passage.steps);
  if (unfinished_ == 0) return finish();
  if (!over) return std::nullopt;
  cost_ += static_cast<std::uint64_t>(given_ - share_);
  check_limit();
  next_warp();
  if (cost_ > until) return Stop::budget;
  return std::nullopt;
}

}  // namespace wedjat::sched
