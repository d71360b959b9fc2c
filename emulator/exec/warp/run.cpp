// The loop that runs a warp.
#include <algorithm>
#include <string>
#include <utility>

#include "emulator/exec/access/fault.h"
#include "emulator/exec/cta/costs.h"
#include "emulator/exec/warp/compiled.h"
#include "emulator/exec/warp/warp.h"

namespace wedjat::exec {

std::uint32_t Warp::guarded(std::uint16_t guard, bool negated, std::uint32_t mask) const {
  if (guard == 0) return mask;
  const std::uint32_t predicate = *reinterpret_cast<const std::uint32_t*>(context_.rows + (guard - 1u) * 64u);
  return mask & (negated ? ~predicate : predicate);
}

void Warp::count(std::uint64_t steps) {
  cta_.steps += steps;
  *budget_ -= static_cast<std::int64_t>(steps);
}

void Warp::execute(const kernel::Step& step, std::uint32_t mask) {
  (mask == all_lanes ? step.full : step.masked)(context_, step, mask);
}

Stop Warp::run(MemoryPort& port, std::int64_t& budget) {
  context_.memory = &port;
  port.local = local_.host;
  port.local_stride = local_.stride;
  port.local_bytes = local_.bytes;
  budget_ = &budget;
  if (!interrupted_) {
    tried_ = cta_.steps;
    try_again();
  }
  // After a stop for the turn the same path goes on, as if it had never stopped: when the turn comes must not
  // show.
  for (;;) {
    if (!std::exchange(interrupted_, false) && !pick()) {
      // Who waits for an mbarrier tries again after the others of the warp have run.
      if (std::exchange(tried_, cta_.steps) == cta_.steps || !try_again()) break;
      continue;
    }
    begin_streak();
    const Next next = run_block();
    if (streak_from_ && current_ < path_count_)
      current().streak += static_cast<std::uint32_t>(*streak_from_ - budget);
    if (next == Next::turn) {
      interrupted_ = true;
      return Stop::turn;
    }
    if (path_count_ > 1 && current_ < path_count_ && current().streak >= longest_streak) {
      current().streak = 0;
      current().yielded = true;
    }
    if (budget <= 0 && context_.live != 0) return Stop::budget;
    // As pick() and try_again() would find out.
    if (path_count_ == 1 && paths_[0].state == Path::State::barrier) return Stop::waiting;
  }
  if (context_.live != 0) return Stop::waiting;
  if (cta_.launch->observer != nullptr) cta_.launch->observer->warp_ends(cta_, index_);
  return Stop::finished;
}

void Warp::begin_streak() {
  const bool rivals = path_count_ > 1;
  floor_ = rivals ? std::max<std::int64_t>(0, *budget_ - (longest_streak - current().streak)) : 0;
  streak_from_ = rivals ? std::optional(*budget_) : std::nullopt;
}

// Runs the current path to the end of its block, and on until another path may have to run.
Warp::Next Warp::run_block() {
  for (;;) {
    if (by_hand_) [[unlikely]] {
      by_hand_ = false;
    } else if (NativeKernel* native = cta_.launch->native;
               native != nullptr &&
               (cta_.visit_counts != 0 || native->has_any.load(std::memory_order_relaxed)) &&
               !current().met && !current().gave_up) {
      const Left left = run_native(*native);
      if (left == Left::at_barrier || left == Left::ended) return Next::pick;
      if (left == Left::at_block) {
        if (*budget_ <= floor_ || current().block >= rival_) return Next::pick;
        continue;
      }
    }
    Path& path = current();
    certificate_ = std::exchange(path.certificate, 0);
    const kernel::Function& function = *path.frame->function;
    const kernel::Block& block = function.blocks[path.block];
    const kernel::Step* const first = function.steps.data() + block.first;
    const kernel::Step* step = first + path.step;
    const kernel::Step* const end = first + block.count;
    if (certificate_ != 0 && (step == end || !(step->flags & kernel::step_flag::barrier))) certificate_ = 0;
    const std::uint32_t mask = path.mask;
    context_.rows = path.frame->rows;
    uncounted_ = step;

    const kernel::Executor kernel::Step::*const executor =
        mask == all_lanes ? &kernel::Step::full : &kernel::Step::masked;
    for (; step != end; ++step) {
      if ((step->guard | step->flags) == 0) [[likely]] {
        (step->*executor)(context_, *step, mask);
        continue;
      }
      if ((step->flags & ~kernel::step_flag::guard_negated) == 0) [[likely]] {
        const std::uint32_t active = guarded(step->guard, step->flags != 0, mask);
        if (active != 0) execute(*step, active);
        continue;
      }
      const Next next = special(*step, static_cast<std::uint32_t>(step - first));
      if (next != Next::step) return next;
    }
    count(static_cast<std::uint64_t>(end - uncounted_) + 1);
    cta_.warp_instructions += block.instructions;
    cta_.thread_instructions += block.instructions * static_cast<std::uint64_t>(__builtin_popcount(mask));
    end_block(block);
    if (*budget_ <= floor_ || current().block >= rival_) return Next::pick;
  }
}

Warp::Next Warp::special(const kernel::Step& step, std::uint32_t offset) {
  namespace flag = kernel::step_flag;
  const std::uint32_t mask = current().mask;
  const std::uint32_t active = guarded(step.guard, step.flags & flag::guard_negated, mask);
  if (active == 0) return Next::step;
  count(static_cast<std::uint64_t>(&step - uncounted_));
  uncounted_ = &step;
  current().step = offset;
  if ((step.flags & flag::ordered) && !cta_.may_order()) return Next::turn;
  if (step.flags & flag::waits) return wait_until(step, offset, active);
  if (step.flags & flag::communicates) *budget_ -= communication_cost;
  if (step.flags & (flag::rendezvous | flag::barrier)) {
    if (active != mask) {
      split(current(), mask & ~active).step = offset + 1;
      current().mask = active;
      return Next::pick;
    }
    if (step.flags & flag::rendezvous) return meet(step);
    count(1);
    current().step = offset + 1;
    execute(step, active);
    // All lanes were here and are on their way still: their rows are as native code left them.
    if (certificate_ != 0 && current().mask == lanes_) current().certificate = std::exchange(certificate_, 0);
    return Next::pick;
  }
  if (step.flags & flag::system)
    system(step, active);
  else
    execute(step, active);
  return Next::step;
}

void Warp::end_block(const kernel::Block& block) {
  const kernel::Terminator& end = block.end;
  const std::uint32_t mask = current().mask;
  const std::uint32_t active = guarded(end.guard, end.negated, mask);
  const std::uint32_t rest = mask & ~active;
  if (end.kind == kernel::End::Fall) return jump(end.target);
  if (active == 0) return jump(end.next);
  if (end.kind == kernel::End::Trap)
    fail(context_, end.id, active, FaultKind::trap, "the kernel ended itself");
  if (rest != 0) {
    Path& others = split(current(), rest);
    others.block = end.next;
    others.step = 0;
    current().mask = active;
  }
  switch (end.kind) {
    case kernel::End::Branch:
      return jump(end.target);
    case kernel::End::IndexedBranch:
      return branch_indexed(end, active);
    case kernel::End::Call:
      return call(end, active);
    case kernel::End::Return:
      return leave(active);
    case kernel::End::Exit:
      return exit_lanes(active);
    case kernel::End::Fall:
    case kernel::End::Trap:
      break;
  }
}

void Warp::branch_indexed(const kernel::Terminator& end, std::uint32_t mask) {
  const auto* index = reinterpret_cast<const std::uint32_t*>(context_.rows + end.row);
  while (mask != 0) {
    const std::uint32_t chosen = index[__builtin_ctz(mask)];
    std::uint32_t group = 0;
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1)
      if (index[__builtin_ctz(rest)] == chosen) group |= rest & -rest;
    if (chosen >= end.targets.size())
      fail(context_, end.id, group, FaultKind::undefined,
           "branch index " + std::to_string(chosen) + ", but there are " +
               std::to_string(end.targets.size()) + " targets");
    mask &= ~group;
    if (mask == 0) {
      current().mask = group;
      return jump(end.targets[chosen]);
    }
    Path& path = split(current(), group);
    path.block = end.targets[chosen];
    path.step = 0;
  }
}

}  // namespace wedjat::exec
