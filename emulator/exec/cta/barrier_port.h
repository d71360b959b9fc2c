// The barriers of a CTA as generated executors call them (PTX ISA 9.7.13.1). Who waits is taken off by the
// engine after the step.
#pragma once
#include "emulator/exec/access/context.h"

namespace wedjat::exec {

enum class BarrierOp : std::uint8_t { sync, popc, all, any };

/// Stands for the barrier of the cluster where a name is wanted.
inline constexpr std::uint32_t cluster_barrier = 16;

// One arrival of lanes of one warp at one barrier.
struct BarrierArrival {
  BarrierOp op = BarrierOp::sync;
  bool waits = true;  // false: bar.arrive
  std::uint32_t lanes = 0;
  std::uint32_t name = 0;           // 0..15
  std::uint32_t threads = 0;        // that complete it
  std::uint32_t predicate = 0;      // of a reduction, one bit per lane
  std::uint32_t* result = nullptr;  // its row: 32 numbers (popc) or one mask (all, any)
};

struct BarrierPort {
  virtual void arrive(WarpContext& warp, const kernel::Step& step, const BarrierArrival& arrival) = 0;
  // barrier.cluster.arrive and .wait (9.7.13.3): all live threads of the cluster, each phase once.
  virtual void cluster_arrive(WarpContext& warp, const kernel::Step& step, std::uint32_t lanes) = 0;
  virtual void cluster_wait(WarpContext& warp, const kernel::Step& step, std::uint32_t lanes) = 0;
  // Lanes of the warp exited: barriers that waited for them alone complete.
  virtual void exited() = 0;

 protected:
  ~BarrierPort() = default;
};

// `name` and `threads` are rows of 32 lanes: lanes that name different barriers arrive apart.
void barrier_each(WarpContext& warp, const kernel::Step& step, BarrierArrival arrival,
                  const std::uint32_t* name, const std::uint32_t* threads);

inline void barrier_sync(WarpContext& warp, const kernel::Step& step, std::uint32_t mask,
                         const std::uint32_t* name, const std::uint32_t* threads) {
  barrier_each(warp, step, {.lanes = mask}, name, threads);
}

inline void barrier_arrive(WarpContext& warp, const kernel::Step& step, std::uint32_t mask,
                           const std::uint32_t* name, const std::uint32_t* threads) {
  barrier_each(warp, step, {.waits = false, .lanes = mask}, name, threads);
}

inline void barrier_cluster_arrive(WarpContext& warp, const kernel::Step& step, std::uint32_t mask) {
  warp.barrier->cluster_arrive(warp, step, mask);
}

inline void barrier_cluster_wait(WarpContext& warp, const kernel::Step& step, std::uint32_t mask) {
  warp.barrier->cluster_wait(warp, step, mask);
}

// `result` is written when the barrier completes: for op popc u32[32], else the lanes' bits of one u32.
inline void barrier_reduce(WarpContext& warp, const kernel::Step& step, BarrierOp op, std::uint32_t mask,
                           const std::uint32_t* name, const std::uint32_t* threads, std::uint32_t predicate,
                           std::uint32_t* result) {
  barrier_each(warp, step, {.op = op, .lanes = mask, .predicate = predicate, .result = result}, name,
               threads);
}

}  // namespace wedjat::exec
