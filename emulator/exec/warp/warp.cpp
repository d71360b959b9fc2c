#include "emulator/exec/warp/warp.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "emulator/exec/access/fault.h"
#include "emulator/exec/cta/report.h"
#include "emulator/exec/warp/rows.h"

namespace wedjat::exec {

Warp::Warp(CtaState& cta, std::uint32_t index, LocalMemory local)
    : cta_(cta), index_(index), local_(local), frames_(cta.launch->kernel, cta.frame_bytes) {
  context_.owner = this;
  context_.barrier = cta.barriers;
  context_.cta_threads = static_cast<std::uint32_t>(cta.launch->block.count());
  const std::uint32_t threads = std::min<std::uint32_t>(lanes, context_.cta_threads - index * lanes);
  lanes_ = threads == lanes ? all_lanes : (1u << threads) - 1;
  context_.cluster_ctas = static_cast<std::uint32_t>(cta.launch->cluster.count());
}

// The frame that it begins in, with what stays the same in it while the launch runs. Warps that native code
// takes from beginning to end do without.
void Warp::make_entry() {
  const kernel::Function& code = cta_.launch->kernel.functions.front();
  entry_ = frames_.take(0).first;
  if (entry_ == nullptr)
    throw Fault(FaultKind::stack_overflow,
                fmt::format("kernel '{}' has {} bytes of registers a warp", code.name, code.frame_bytes));
  const bool clustered = cta_.launch->cluster.count() > 1;
  const bool holds_constants = frames_.holds_constants();
  for (const kernel::RowFill& fill : code.fills) {
    if (holds_constants && fill.source == kernel::RowFill::Source::Constant) continue;
    if (lifetime(fill, clustered) == Lifetime::launch)
      fill_row(*entry_, fill, cta_, index_);
    else
      renewed_.push_back({fill, is_same_in_cta(fill)});
  }
}

void Warp::begin() {
  context_.live = lanes_;
  context_.carry = 0;
  context_.cluster_rank = cta_.cluster_rank;
  frames_.shrink();
  if (entry_ == nullptr) make_entry();
  for (const Renewed& row : renewed_) fill_row(*entry_, row.fill, cta_, index_);
  entry_->lanes = context_.live;
  local_high_ = entry_->function->local_bytes;
  std::fill_n(top_, lanes, local_high_);
  paths_[0] = Path{.frame = entry_, .mask = context_.live};
  path_count_ = 1;
  current_ = 0;
  interrupted_ = by_hand_ = false;
}

// Paths and frames are as begin() left them.
void Warp::begin_again(std::span<const std::unique_ptr<Warp>> all) {
  const CtaState& cta = all.front()->cta_;
  for (const auto& warp : all) {
    warp->context_.carry = 0;
    warp->context_.cluster_rank = cta.cluster_rank;
  }
  for (const auto& [fill, same_in_cta] : all.front()->renewed_) {
    if (!same_in_cta) {
      for (const auto& warp : all) fill_row(*warp->entry_, fill, cta, warp->index_);
      continue;
    }
    const std::uint64_t value = first_lane(fill, cta, 0);
    for (const auto& warp : all) broadcast(warp->entry_->rows + fill.row, fill.element_bytes, value);
  }
}

// The block from which on another path may have to run first. Paths in frames of their own: one that is less
// deep does not before this one returns or yields; one that is deeper has yielded, and pick() finds out.
std::uint32_t Warp::first_rival() const {
  std::uint32_t first = ~0u;
  for (std::uint32_t i = 0; i < path_count_; ++i) {
    if (i == current_ || !paths_[i].ready()) continue;
    if (paths_[i].frame->depth < paths_[current_].frame->depth) continue;
    if (paths_[i].frame->depth > paths_[current_].frame->depth) return 0;
    first = std::min(first, paths_[i].block);
  }
  return first;
}

bool Warp::pick() {
  if (path_count_ == 1 && paths_[0].ready()) {
    current_ = 0;
    rival_ = ~0u;
    return true;
  }
  Path* best = nullptr;
  for (std::uint32_t i = 0; i < path_count_; ++i)
    if (paths_[i].ready() && (best == nullptr || paths_[i].before(*best))) best = &paths_[i];
  if (best == nullptr) return false;
  if (best->yielded)  // so have all others: a new round
    for (std::uint32_t i = 0; i < path_count_; ++i) paths_[i].yielded = false;
  current_ = static_cast<std::uint32_t>(best - paths_.data());
  for (std::uint32_t i = path_count_; i-- > 0;) {
    if (i == current_ || !paths_[i].meets(current())) continue;
    current().mask |= paths_[i].mask;
    current().streak = std::min(current().streak, paths_[i].streak);
    remove(i);
  }
  rival_ = first_rival();
  return true;
}

Path& Warp::split(const Path& from, std::uint32_t mask) {
  rival_ = 0;
  Path& path = paths_[path_count_++];
  path = from;
  path.mask = mask;
  return path;
}

void Warp::remove(std::uint32_t path) {
  --path_count_;
  if (path == path_count_) return;
  paths_[path] = paths_[path_count_];
  if (current_ == path_count_) current_ = path;
}

void Warp::jump(std::uint32_t block) {
  current().block = block;
  current().step = 0;
}

void Warp::exit_lanes(std::uint32_t mask) {
  rival_ = 0;
  Path& path = current();
  context_.live &= ~mask;
  for (Frame* frame = path.frame; frame != nullptr;) {
    Frame* const caller = frame->caller;
    frame->lanes &= ~mask;
    if (frame->lanes == 0 && caller != nullptr) frames_.give_back(frame);
    frame = caller;
  }
  path.mask &= ~mask;
  if (path.mask == 0) remove(current_);
  for (std::uint32_t i = 0; i < path_count_; ++i)
    if (paths_[i].state == Path::State::rendezvous) release_rendezvous(paths_[i].members);
  if (cta_.barriers != nullptr) cta_.barriers->exited();
}

void Warp::wait_for_barrier(const BarrierArrival& arrival) {
  Path& waiting = arrival.lanes == current().mask ? current() : split(current(), arrival.lanes);
  if (&waiting != &current()) current().mask &= ~arrival.lanes;
  waiting.state = Path::State::barrier;
  waiting.arrival = arrival;
}

bool Warp::release_barrier(std::uint32_t name, std::uint32_t population, bool all, bool any) {
  bool released = false;
  rival_ = 0;
  for (std::uint32_t i = 0; i < path_count_; ++i) {
    Path& path = paths_[i];
    if (path.state != Path::State::barrier || path.arrival.name != name) continue;
    path.state = Path::State::ready;
    released = true;
    std::uint32_t* const result = path.arrival.result;
    switch (path.arrival.op) {
      case BarrierOp::sync:
        break;
      case BarrierOp::popc:
        for (std::uint32_t rest = path.mask; rest != 0; rest &= rest - 1)
          result[__builtin_ctz(rest)] = population;
        break;
      case BarrierOp::all:
        *result = all ? *result | path.mask : *result & ~path.mask;
        break;
      case BarrierOp::any:
        *result = any ? *result | path.mask : *result & ~path.mask;
        break;
    }
  }
  return released;
}

std::string Warp::describe_paths() const {
  std::string text;
  const kernel::Kernel& kernel = cta_.launch->kernel;
  // By their lanes: how they lie in memory depends on whether native code split them.
  std::vector<std::uint32_t> order(path_count_);
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return std::countr_zero(paths_[i].mask); });
  for (const std::uint32_t i : order) {
    const Path& path = paths_[i];
    const kernel::Function& function = *path.frame->function;
    const kernel::Block& block = function.blocks[path.block];
    // A path that waits for a barrier has its step behind it.
    const std::uint32_t step = path.step - (path.state == Path::State::barrier ? 1 : 0);
    const std::uint32_t id = step < block.count ? function.steps[block.first + step].id : block.end.id;
    text += fmt::format("\n  warp {} lanes {:#010x} at {}", index_, path.mask, describe_place(kernel, id));
    if (path.state == Path::State::barrier && path.arrival.name == cluster_barrier)
      text += ": waits for the barrier of the cluster";
    else if (path.state == Path::State::barrier)
      text += fmt::format(": waits for barrier {} of {} threads", path.arrival.name, path.arrival.threads);
    if (path.state == Path::State::until) text += ": waits for an mbarrier";
    if (path.state == Path::State::rendezvous)
      text += fmt::format(": waits for lanes {:#010x}", path.members & context_.live & ~path.mask);
  }
  return text;
}

}  // namespace wedjat::exec
