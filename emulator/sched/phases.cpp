#include "emulator/sched/phases.h"

#include <algorithm>

namespace wedjat::sched {

using exec::Left;

namespace {

exec::NativeCode code_at(exec::NativeKernel& native, const exec::Stand& at) {
  return native.entry(0, at.block, at.step).of(exec::PathKind::whole).load(std::memory_order_acquire);
}

bool same_place(const exec::Stand& a, const exec::Stand& b) { return a.block == b.block && a.step == b.step; }

}  // namespace

bool Phases::gather(exec::NativeKernel& native, exec::MemoryPort& port, std::size_t next) {
  const std::optional<exec::Stand> start = warps_[next]->whole();
  if (!start || start->left != Left::at_block) return false;
  start_ = *start;
  if (code_at(native, start_) == nullptr) return false;
  const std::size_t count = warps_.size();
  members_.resize(count);
  gone_ = ended_ = 0;
  std::uint32_t arrived_at = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t warp = (next + i) % count;
    const std::optional<exec::Stand> at = warps_[warp]->whole();
    if (!at) return false;
    members_[warp].at = *at;
    if (at->left == Left::at_barrier) {
      arrived_at |= 1u << at->barrier;
      ++gone_;
      continue;
    }
    // Who has gone went before those who have not.
    if (gone_ != 0 || !same_place(*at, start_) || at->certificate != start_.certificate) return false;
  }
  first_ = next >= gone_ ? next - gone_ : next + count - gone_;
  if (!barriers_.forget_whole(arrived_at, gone_)) return false;
  holds_ = true;
  for (std::size_t i = 0; i < count; ++i) {
    const exec::Stand at = members_[i].at;
    members_[i] = warps_[i]->member(port);
    members_[i].at = at;
  }
  return true;
}

void Phases::use(exec::MemoryPort& port) {
  for (exec::Member& member : members_) member.warp->memory = &port;
}

// As many as may go through the code of the phase, one after the other. Where other code begins before its
// end, whoever comes there goes on in that.
Left Phases::run(exec::NativeKernel& native, exec::Passage& passage, exec::Member* end) const {
  const exec::NativeCode phase = code_at(native, start_);
  if (phase == nullptr) return Left::refused;
  for (;;) {
    passage.end = end;
    passage.certificate = start_.certificate;
    Left left = phase(passage);
    while (left == Left::at_block && passage.budget > 0) {
      const exec::Stand at = passage.member->at;
      const exec::NativeCode further = code_at(native, at);
      if (further == nullptr) return left;
      passage.end = passage.member + 1;
      passage.certificate = at.certificate;
      const Left then = further(passage);
      if (then == Left::refused) return left;
      left = then;
    }
    const bool came = left == Left::at_barrier || left == Left::ended;
    if (!came || passage.member + 1 == end || passage.used > passage.room) return left;
    ++passage.member;
    passage.budget = passage.share;
  }
}

Phases::Gone Phases::go(exec::NativeKernel& native, exec::Passage& passage, std::size_t next) {
  Gone gone{.left = Left::refused, .last = next, .complete = false, .ends = 0};
  const std::size_t count = members_.size();
  passage.member = &members_[next];
  passage.mask = native.whole;
  passage.rival = ~0u;
  gone.left = run(native, passage, passage.member + std::min(count - next, count - gone_));
  gone.last = static_cast<std::size_t>(passage.member - members_.data());
  const bool all_came = gone.left == Left::at_barrier || gone.left == Left::ended;
  const std::size_t came = gone.last - next + (all_came ? 1 : 0);
  gone_ += came;
  for (std::size_t i = next; i < next + came; ++i) gone.ends += members_[i].at.left == Left::ended ? 1 : 0;
  ended_ += gone.ends;
  if (gone_ != count || ended_ != 0) return gone;
  exec::Stand meet = members_[gone.last].at;
  for (const exec::Member& member : members_) {
    if (!same_place(member.at, meet) || member.at.barrier != meet.barrier) return gone;
    if (member.at.certificate != meet.certificate) meet.certificate = 0;
  }
  gone.complete = true;
  start_ = meet;
  first_ = gone.last;
  gone_ = 0;
  return gone;
}

void Phases::part() {
  if (!holds_) return;
  holds_ = false;
  const std::size_t count = members_.size();
  const auto each = [&](std::size_t from, std::size_t to, auto&& visit) {
    for (std::size_t i = from; i < to; ++i) visit((first_ + i) % count);
  };
  each(gone_, count, [&](std::size_t warp) {
    members_[warp].at = start_;
    warps_[warp]->go_on(members_[warp], Left::at_block, {});
  });
  each(0, gone_, [&](std::size_t warp) { warps_[warp]->go_on(members_[warp], members_[warp].at.left, {}); });
}

}  // namespace wedjat::sched
