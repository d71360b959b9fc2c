// The barrier of a cluster (PTX ISA 9.7.13.3: barrier.cluster).
#pragma once
#include <cstdint>
#include <vector>

#include "emulator/exec/warp/warp.h"

namespace wedjat::sched {

/// A phase is complete when every live thread of the cluster has arrived; each then waits once.
class ClusterBarrier {
 public:
  /// All warps of the cluster, CTA after CTA, `warps_each` of them; they must outlive this.
  void serve(std::vector<exec::Warp*> warps, std::size_t warps_each);
  void reset();

  /// Throw exec::Fault if a thread arrives twice or waits without having arrived.
  void arrive(exec::WarpContext& warp, const kernel::Step& step, std::uint32_t lanes);
  void wait(exec::WarpContext& warp, const kernel::Step& step, std::uint32_t lanes);
  void exited();

 private:
  struct Lanes {
    std::uint32_t arrived = 0;  // in this phase
    std::uint32_t passed = 0;   // arrived in a phase that is complete, and did not wait yet
    std::uint32_t waiting = 0;
  };
  Lanes& of(const exec::WarpContext& warp);
  void release_if_complete();

  std::vector<exec::Warp*> warps_;
  std::vector<Lanes> lanes_;  // by warp
  std::size_t warps_each_ = 0;
  bool in_use_ = false;
};

}  // namespace wedjat::sched
