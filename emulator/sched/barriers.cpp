#include "emulator/sched/barriers.h"

#include <fmt/format.h>

#include <algorithm>

#include "emulator/exec/access/fault.h"

namespace wedjat::sched {

void Barriers::serve(std::vector<exec::Warp*> warps, std::uint32_t cta_threads, ClusterBarrier& cluster) {
  cluster_ = &cluster;
  warps_ = std::move(warps);
  cta_threads_ = cta_threads;
  arrived_.assign(count * warps_.size(), 0);
  for (std::uint32_t name = 0; name < count; ++name)
    barriers_[name].arrived = std::span(arrived_).subspan(name * warps_.size(), warps_.size());
}

void Barriers::reset() {
  for (std::uint32_t name = 0; in_use_ != 0; ++name, in_use_ >>= 1) {
    if ((in_use_ & 1) == 0) continue;
    Barrier& barrier = barriers_[name];
    std::fill(barrier.arrived.begin(), barrier.arrived.end(), 0);
    barrier.threads = barrier.again = barrier.population = 0;
    barrier.all = true;
  }
}

void Barriers::arrive(exec::WarpContext& context, const kernel::Step& step,
                      const exec::BarrierArrival& arrival) {
  auto refuse = [&](const std::string& why) {
    exec::fail(context, step.id, arrival.lanes, exec::FaultKind::barrier, why);
  };
  if (arrival.name >= count) refuse(fmt::format("barrier {}: a CTA has {}", arrival.name, count));
  if (arrival.threads == 0 || (arrival.threads % exec::lanes != 0 && arrival.threads != cta_threads_))
    refuse(fmt::format("barrier {} of {} threads: no multiple of {}", arrival.name, arrival.threads,
                       exec::lanes));
  Barrier& barrier = barriers_[arrival.name];
  if (barrier.threads != 0 && barrier.threads != arrival.threads)
    refuse(fmt::format("barrier {} of {} threads, but others wait for it with {}", arrival.name,
                       arrival.threads, barrier.threads));

  auto& warp = *static_cast<exec::Warp*>(context.owner);
  barrier.threads = arrival.threads;
  in_use_ |= 1u << arrival.name;
  std::uint32_t& arrived = barrier.arrived[warp.index()];
  barrier.again += static_cast<std::uint32_t>(__builtin_popcount(arrived & arrival.lanes));
  arrived |= arrival.lanes;
  barrier.population += static_cast<std::uint32_t>(__builtin_popcount(arrival.predicate & arrival.lanes));
  if (arrival.op != exec::BarrierOp::sync) barrier.all &= (arrival.lanes & ~arrival.predicate) == 0;
  if (arrival.waits) warp.wait_for_barrier(arrival);
  release_if_complete(arrival.name);
}

void Barriers::exited() {
  for (std::uint32_t rest = in_use_; rest != 0; rest &= rest - 1)
    release_if_complete(static_cast<std::uint32_t>(__builtin_ctz(rest)));
  cluster_->exited();
}

bool Barriers::complete(Barrier& barrier) const {
  if (barrier.threads == cta_threads_) {
    const auto lacks = [&](std::size_t i) { return (warps_[i]->live() & ~barrier.arrived[i]) != 0; };
    if (lacks(barrier.missing)) return false;
    // The last ones first: warps mostly come in their order.
    for (std::size_t i = warps_.size(); i-- > 0;)
      if (lacks(i)) {
        barrier.missing = i;
        return false;
      }
    return true;
  }
  std::uint32_t sum = barrier.again;
  for (const exec::Warp* warp : warps_) {
    const std::uint32_t arrived = barrier.arrived[warp->index()];
    if (arrived == 0) continue;
    const bool whole = (warp->live() & ~arrived) == 0;
    sum += whole ? exec::lanes : static_cast<std::uint32_t>(__builtin_popcount(arrived));
  }
  return sum >= barrier.threads;
}

void Barriers::release_if_complete(std::uint32_t name) {
  Barrier& barrier = barriers_[name];
  if (!complete(barrier)) return;
  ++completed_;
  const std::uint32_t population = barrier.population;
  const bool all = barrier.all;
  std::fill(barrier.arrived.begin(), barrier.arrived.end(), 0);
  barrier.threads = barrier.again = barrier.population = 0;
  barrier.all = true;
  in_use_ &= ~(1u << name);
  for (exec::Warp* warp : warps_) warp->release_barrier(name, population, all, population != 0);
}

bool Barriers::forget_whole(std::uint32_t names, std::size_t warps) {
  if (in_use_ != names) return false;
  for (std::uint32_t rest = names; rest != 0; rest &= rest - 1) {
    const Barrier& barrier = barriers_[static_cast<std::size_t>(__builtin_ctz(rest))];
    if (barrier.threads != cta_threads_ || barrier.again != 0 || barrier.population != 0 || !barrier.all)
      return false;
    for (std::size_t i = 0; i < warps_.size(); ++i) {
      const std::uint32_t arrived = barrier.arrived[i];
      if (arrived != 0 && arrived != warps_[i]->all_its_lanes()) return false;
      warps -= arrived != 0 ? 1 : 0;
    }
  }
  if (warps != 0) return false;
  reset();
  return true;
}

}  // namespace wedjat::sched
