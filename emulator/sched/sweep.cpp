// Warps of a CTA that have not begun, in native code that takes one after the other.
#include "emulator/exec/warp/sweep.h"

#include <algorithm>

#include "emulator/exec/warp/rows.h"
#include "emulator/sched/cta.h"

namespace wedjat::sched {

namespace {

// If code often stops on the way there are better ways to run the kernel.
constexpr std::uint64_t many_stops = 64;

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
    for (; begun_ < warps_.size(); ++begun_) warps_[begun_]->begin();
    return;
  }
  const std::vector<kernel::RowFill>& fills = launch->kernel.functions.front().fills;
  const bool is_new = of_cta_.empty();
  of_cta_.resize(fills.size());
  of_warps_.resize(fills.size() * warps_.size());
  for (std::size_t i = 0; i < fills.size(); ++i) {
    if (!has_number(fills[i]) || (!is_new && exec::lifetime(fills[i], false) == exec::Lifetime::launch))
      continue;
    of_cta_[i] = exec::first_lane(fills[i], *this, 0);
    for (std::uint32_t warp = 0; is_new && warp < warps_.size(); ++warp)
      of_warps_[warp * fills.size() + i] = exec::first_lane(fills[i], *this, warp);
  }
}

std::byte* Cta::begin_next(exec::Sweep& sweep) {
  exec::Warp& warp = *static_cast<Cta*>(sweep.owner)->warps_[sweep.next];
  warp.begin();
  return warp.rows();
}

// `room`: steps after which others have to run.
void Cta::sweep(exec::MemoryPort& port, std::uint64_t room) {
  const exec::SweepCode code = launch->native->sweep.load(std::memory_order_acquire);
  const auto whole = static_cast<std::uint32_t>(launch->block.count() / exec::lanes);
  if (code == nullptr || begun_ >= whole) return warps_[begun_++]->begin();
  const std::uint64_t limit = launch->options.step_limit;
  if (limit != 0) room = std::min(room, limit - std::min(limit, steps));
  exec::Sweep swept{
      .passage = {.warp = &warps_[begun_]->context(port),
                  .recent = port.cache.data(),
                  .shared_host = reinterpret_cast<std::uintptr_t>(port.shared) - port.shared_address,
                  .shared_bytes = port.shared_bytes,
                  .shared_address = port.shared_address,
                  .mask = exec::all_lanes,
                  .rival = ~0u,
                  .budget = share_},
      .of_cta = of_cta_.data(),
      .of_warp = of_warps_.data() + begun_ * of_cta_.size(),
      .next = static_cast<std::uint32_t>(begun_),
      .end = whole,
      .room = room,
      .runs = runs_.data(),
      .begin = begin_next,
      .owner = this};
  const exec::Left left = code(swept);
  for (std::uint32_t i = 0; i < swept.runs_used; ++i) exec::tell_run(*swept.passage.warp, runs_[i]);
  const exec::Passage& last = swept.passage;
  const std::uint64_t all = swept.steps + last.steps;
  steps += all;
  native_steps += all;
  cost_ += swept.steps;
  warp_instructions += swept.instructions + last.instructions;
  thread_instructions += (swept.instructions + last.instructions) * exec::lanes;
  unfinished_ -= swept.next - begun_;
  swept_ += swept.next - begun_;
  begun_ = cursor_ = swept.next;
  stalled_ = 0;
  tell_progress(all);
  if (left == exec::Left::refused) {
    if (cursor_ == warps_.size()) cursor_ = 0;
    return check_limit();
  }
  ++stopped_;
  share_ = last.budget;
  warps_[begun_++]->go_on(last.block, last.step, left == exec::Left::at_step);
  if (left == exec::Left::at_step) return;
  // Its share is over.
  cost_ += static_cast<std::uint64_t>(given_ - share_);
  check_limit();
  next_warp();
}

}  // namespace wedjat::sched
