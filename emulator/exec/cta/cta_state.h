// What the warps of a CTA share, and how they ask for the CTA's turn.
#pragma once
#include <cstdint>

#include "emulator/exec/cta/barrier_port.h"
#include "emulator/exec/cta/launch.h"
#include "emulator/memory/windows.h"

namespace wedjat::exec {

struct Watched;

struct CtaState {
  const Launch* launch = nullptr;
  BarrierPort* barriers = nullptr;
  std::uint64_t index = 0;  ///< x + y * nctaid.x + z * nctaid.x * nctaid.y
  Dim3 ctaid{0, 0, 0};
  std::uint32_t cluster_rank = 0;
  std::uint64_t steps =
      0;  ///< that its warps ran, ends of blocks too: its clock, and the measure of every share
  std::uint64_t warp_instructions = 0, thread_instructions = 0;  ///< PTX instructions: what statistics show
  std::uint64_t native_steps = 0;                                ///< the part of `steps` that native code ran
  std::uint64_t waits_ended = 0;  ///< lanes whose wait for an mbarrier came to its end
  std::uint64_t slept = 0;        ///< nanoseconds its warps asked to sleep: part of its clock
  std::uint64_t frame_bytes = 0;  ///< that its warps hold
  void* observed = nullptr;       ///< of Launch::observer
  Watched* watched = nullptr;     ///< by warp; null: no step watches
  /// What a visit of a place without native code counts: it stands for those of other CTAs. 0: nothing.
  std::uint32_t visit_counts = 1;

  /// Where its shared memory begins, as an address of the space .shared.
  std::uint64_t shared_address() const {
    return cluster_rank * memory::shared_stride + memory::shared_reserved;
  }

  /// Steps whose outcome depends on the order among CTAs run only while it is this CTA's turn.
  bool may_order() { return turn_ || take_turn(); }

 protected:
  ~CtaState() = default;
  virtual bool take_turn() = 0;
  bool turn_ = false;
};

}  // namespace wedjat::exec
