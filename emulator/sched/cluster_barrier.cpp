#include "emulator/sched/cluster_barrier.h"

#include <algorithm>

#include "emulator/exec/access/fault.h"

namespace wedjat::sched {

void ClusterBarrier::serve(std::vector<exec::Warp*> warps, std::size_t warps_each) {
  warps_ = std::move(warps);
  warps_each_ = warps_each;
  lanes_.assign(warps_.size(), {});
}

void ClusterBarrier::reset() {
  std::fill(lanes_.begin(), lanes_.end(), Lanes{});
  in_use_ = false;
}

ClusterBarrier::Lanes& ClusterBarrier::of(const exec::WarpContext& context) {
  const auto& warp = *static_cast<const exec::Warp*>(context.owner);
  return lanes_[warp.cta().cluster_rank * warps_each_ + warp.index()];
}

void ClusterBarrier::arrive(exec::WarpContext& warp, const kernel::Step& step, std::uint32_t lanes) {
  Lanes& mine = of(warp);
  if (const std::uint32_t again = (mine.arrived | mine.passed) & lanes)
    exec::fail(warp, step.id, again, exec::FaultKind::barrier,
               "barrier.cluster.arrive, but the thread did not wait since it arrived last");
  mine.arrived |= lanes;
  in_use_ = true;
  release_if_complete();
}

void ClusterBarrier::wait(exec::WarpContext& context, const kernel::Step& step, std::uint32_t lanes) {
  Lanes& mine = of(context);
  if (const std::uint32_t absent = lanes & ~(mine.arrived | mine.passed))
    exec::fail(context, step.id, absent, exec::FaultKind::barrier,
               "barrier.cluster.wait, but the thread did not arrive");
  mine.passed &= ~lanes;
  const std::uint32_t waiting = lanes & mine.arrived;
  if (waiting == 0) return;
  mine.waiting |= waiting;
  static_cast<exec::Warp*>(context.owner)
      ->wait_for_barrier({.lanes = waiting, .name = exec::cluster_barrier});
}

void ClusterBarrier::exited() {
  if (in_use_) release_if_complete();
}

void ClusterBarrier::release_if_complete() {
  for (std::size_t i = 0; i < warps_.size(); ++i)
    if ((warps_[i]->live() & ~lanes_[i].arrived) != 0) return;
  in_use_ = false;
  for (std::size_t i = 0; i < warps_.size(); ++i) {
    Lanes& lanes = lanes_[i];
    lanes.passed = lanes.arrived & ~lanes.waiting;
    lanes.arrived = lanes.waiting = 0;
    warps_[i]->release_barrier(exec::cluster_barrier, 0, false, false);
  }
}

}  // namespace wedjat::sched
