#include "emulator/sched/phases.h"

#include <bit>
#include <utility>

#include "emulator/exec/warp/probe.h"

namespace wedjat::sched {

using exec::Left;

namespace {

// To the end of a phase.
bool at_end(Left left) { return left == Left::at_barrier || left == Left::ended; }

bool same_place(const exec::Stand& a, const exec::Stand& b) { return a.block == b.block && a.step == b.step; }

}  // namespace

// Of the warp of that member.
exec::NativeCode Phases::code_at(exec::NativeKernel& native, const exec::Stand& at,
                                 const exec::Member& member) const {
  const bool rest = native.rest != 0 && &member == &members_.back();
  return native.entry(0, at.block, at.step)
      .of(rest ? exec::PathKind::rest : exec::PathKind::whole)
      .load(std::memory_order_acquire);
}

// Whether the place where all start has code for each of them.
bool Phases::has_code(exec::NativeKernel& native) const {
  return code_at(native, start_, members_.front()) != nullptr &&
         code_at(native, start_, members_.back()) != nullptr;
}

// Warps that have just begun need not be asked one by one.
bool Phases::gather_anew(exec::NativeKernel& native, exec::MemoryPort& port, exec::Watched* watched) {
  start_ = {.left = Left::at_block};
  if (!has_code(native)) return false;
  use(port);
  for (exec::Member& member : members_) {
    member.warp->rows = member.rows;
    member.at = start_;
    member.streak = 0;
    member.watched = watched == nullptr ? nullptr : watched++;
  }
  first_ = gone_ = ended_ = 0;
  return holds_ = from_begin_ = true;
}

bool Phases::gather(exec::NativeKernel& native, exec::MemoryPort& port, std::size_t next,
                    exec::Watched* watched) {
  if (std::exchange(begin_, false) && whole_) return gather_anew(native, port, watched);
  const std::optional<exec::Stand> start = warps_[next]->whole();
  if (!start || start->left != Left::at_block) return false;
  start_ = *start;
  const std::size_t count = warps_.size();
  members_.resize(count);
  if (!has_code(native)) return false;
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
  holds_ = whole_ = true;
  from_begin_ = false;
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
// end, whoever comes there goes on in that. Where all have come to one place the next phase follows, which
// `next` begins.
Left Phases::run(exec::NativeKernel& native, exec::Passage& passage, std::size_t& next, Gone& gone) {
  exec::Member* end = &members_[first_];
  exec::Member* const rest = native.rest != 0 ? &members_.back() : nullptr;
  const auto behind = [&](exec::Member* member) {
    return ++member == passage.ring_end ? passage.ring : member;
  };
  const auto enter = [&](exec::NativeCode code) {
    if (passage.member != rest) return code(passage);
    // What is told counts all lanes of whole warps.
    const std::uint64_t counted = passage.instructions;
    const Left left = code(passage);
    passage.missing += (passage.instructions - counted) *
                       static_cast<std::uint64_t>(std::popcount(native.whole) - std::popcount(native.rest));
    return left;
  };
  for (;;) {
    as_one_ = false;
    const exec::NativeCode phase = code_at(native, start_, *passage.member);
    if (phase == nullptr) return Left::refused;
    // The last warp has code of its own if it has fewer lanes.
    const bool all = rest == nullptr || passage.member == rest || (end > passage.member && end <= rest);
    passage.end = passage.member == rest ? behind(rest) : all ? end : rest;
    passage.certificate = start_.certificate;
    const bool from_first = passage.member == end;
    passage.first = from_first && rest == nullptr ? end : nullptr;
    Left left = enter(phase);
    if (std::exchange(passage.begun, 0) != 0) {
      go_on_from(*passage.first);
      start_ = passage.start;
      end = passage.first;
      next = first_;
      gone.others |= members_.size() > 1;
    }
    as_one_ =
        from_first && at_end(left) && behind(passage.member) == end && std::has_single_bit(passage.came);
    if (as_one_ && left == Left::at_barrier && passage.used <= passage.room) {
      go_on_from(*passage.member);
      end = passage.member;
      next = first_;
      gone.others |= members_.size() > 1;
      continue;
    }
    while (left == Left::at_block && passage.budget > 0) {
      const exec::Stand at = passage.member->at;
      const exec::NativeCode further = code_at(native, at, *passage.member);
      if (further == nullptr) return left;
      passage.end = behind(passage.member);
      passage.certificate = at.certificate;
      const Left then = enter(further);
      if (then == Left::refused) return left;
      left = then;
    }
    if (!at_end(left) || behind(passage.member) == end || passage.used > passage.room) return left;
    passage.member = behind(passage.member);
    passage.budget = passage.share;
  }
}

// All have come to the end of the phase, and nobody to that of the kernel. If that is one place, the next
// phase begins there, with the one that came last.
bool Phases::meet(std::size_t last) {
  exec::Stand place = members_[last].at;
  bool same = true;
  for (const exec::Member& member : members_) {
    same &= same_place(member.at, place) & (member.at.barrier == place.barrier);
    if (member.at.certificate != place.certificate) place.certificate = 0;
  }
  if (!same) return false;
  go_on_from(members_[last]);
  start_.certificate = place.certificate;
  return true;
}

// The next phase begins where that one is, with it.
void Phases::go_on_from(const exec::Member& last) {
  start_ = last.at;
  first_ = static_cast<std::size_t>(&last - members_.data());
  gone_ = 0;
}

// Counts those that have come to the end of the phase, from `next` on, and says how many of them to that of
// the kernel.
std::size_t Phases::count(std::size_t next, std::size_t came) {
  std::size_t ends = 0;
  for (std::size_t i = 0; i < came; ++i) {
    ends += members_[next].at.left == Left::ended ? 1 : 0;
    next = next + 1 == members_.size() ? 0 : next + 1;
  }
  gone_ += came;
  ended_ += ends;
  return ends;
}

// What came of those that went from `next` on. Returns whether all are to go on at once.
bool Phases::end_phase(Gone& gone, std::size_t next) {
  if (as_one_) {
    if (gone.left == Left::at_barrier) {
      go_on_from(members_[gone.last]);
      return true;
    }
    gone.ends += members_.size();
    gone_ = ended_ = members_.size();
    return false;
  }
  gone.ends +=
      count(next, gone.last + (gone.last < next ? members_.size() : 0) - next + (at_end(gone.left) ? 1 : 0));
  return gone_ == members_.size() && ended_ == 0 && meet(gone.last);
}

Phases::Gone Phases::go(exec::NativeKernel& native, exec::Passage& passage, std::size_t next) {
  Gone gone{.left = Left::refused, .last = next, .others = false, .complete = false, .ends = 0};
  passage.mask = native.whole;
  passage.rival = ~0u;
  passage.ring = members_.data();
  passage.ring_end = passage.ring + members_.size();
  do {
    passage.member = &members_[next];
    gone.left = run(native, passage, next, gone);
    gone.last = static_cast<std::size_t>(passage.member - members_.data());
    gone.others |= gone.last != next;
    gone.complete = end_phase(gone, next);
    next = gone.last;
  } while (gone.complete && passage.used <= passage.room);
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
