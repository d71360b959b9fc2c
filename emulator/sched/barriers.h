// The sixteen barriers of a CTA (PTX ISA 9.7.13.1).
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "emulator/exec/warp/warp.h"
#include "emulator/sched/cluster_barrier.h"

namespace wedjat::sched {

/// Threads arrive one by one, so lanes of a warp may come to a barrier apart. A barrier for all threads of
/// the CTA is complete when every live thread has arrived; one for fewer threads counts threads, and a warp
/// whose live lanes have all arrived counts as 32.
class Barriers final : public exec::BarrierPort {
 public:
  /// `warps` by their index; they and the cluster's barrier must outlive this.
  void serve(std::vector<exec::Warp*> warps, std::uint32_t cta_threads, ClusterBarrier& cluster);
  /// All barriers are free again.
  void reset();

  void arrive(exec::WarpContext& warp, const kernel::Step& step,
              const exec::BarrierArrival& arrival) override;
  void cluster_arrive(exec::WarpContext& warp, const kernel::Step& step, std::uint32_t lanes) override {
    cluster_->arrive(warp, step, lanes);
  }
  void cluster_wait(exec::WarpContext& warp, const kernel::Step& step, std::uint32_t lanes) override {
    cluster_->wait(warp, step, lanes);
  }
  void exited() override;

  /// So many warps wait, with all their lanes, for barriers of all threads, those of the bits of `names`, and
  /// nobody for another: forgets them. False if it is not so.
  bool forget_whole(std::uint32_t names, std::size_t warps);
  /// How often one was completed.
  std::uint64_t completed() const { return completed_; }

 private:
  struct Barrier {
    std::uint32_t threads = 0;     // that complete it; 0: nobody has arrived
    std::uint32_t again = 0;       // arrivals of lanes that had arrived already (bar.arrive in a loop)
    std::uint32_t population = 0;  // of a reduction: lanes whose predicate was true
    bool all = true;
    std::span<std::uint32_t> arrived;  // lanes, by warp
    std::size_t missing = 0;           // a warp that had not arrived when somebody last looked
  };
  bool complete(Barrier& barrier) const;
  void release_if_complete(std::uint32_t name);

  static constexpr std::uint32_t count = 16;
  std::array<Barrier, count> barriers_;
  std::vector<std::uint32_t> arrived_;  // of all of them
  std::uint32_t in_use_ = 0;            // one bit a barrier
  std::uint64_t completed_ = 0;
  std::vector<exec::Warp*> warps_;
  std::uint32_t cta_threads_ = 0;
  ClusterBarrier* cluster_ = nullptr;
};

}  // namespace wedjat::sched
