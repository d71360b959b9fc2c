// Warps of a CTA that native code takes together, phase by phase: each from one barrier of all threads to the
// next, where they meet.
#pragma once
#include <memory>
#include <vector>

#include "emulator/exec/warp/compiled.h"
#include "emulator/exec/warp/warp.h"
#include "emulator/sched/barriers.h"

namespace wedjat::sched {

/// While it holds them, where the warps are is written here alone, in a few numbers; their paths and the
/// barriers know nothing of it. Who goes when, and who goes on first where a barrier is complete, is as the
/// warps themselves would have it.
class Phases {
 public:
  using Warps = std::vector<std::unique_ptr<exec::Warp>>;
  Phases(const Warps& warps, Barriers& barriers) : warps_(warps), barriers_(barriers) {}

  bool hold() const { return holds_; }
  /// Takes the warps if all are whole and stand at one place that has code, or have gone from it to a
  /// barrier. `next`: the warp whose turn it is. `watched`: CtaState::watched.
  bool gather(exec::NativeKernel& native, exec::MemoryPort& port, std::size_t next, exec::Watched* watched);
  /// Whoever runs them now has this port.
  void use(exec::MemoryPort& port);
  /// What happens to the warps that go now, from `next` on, in the order of their turns, phase after phase
  /// while there is room.
  struct Gone {
    exec::Left left;
    std::size_t last;  ///< the warp that came last
    bool others;       ///< it was not the first to go: the turns of those before it are over
    bool complete;     ///< all have come to one place behind a barrier, and it goes on at once
    std::size_t ends;  ///< warps that did so now
  };
  Gone go(exec::NativeKernel& native, exec::Passage& passage, std::size_t next);
  /// With where it was left, if it is the one that came last.
  const exec::Member& member(std::size_t warp) const { return members_[warp]; }
  /// All have come to the end of the phase.
  bool all_came() const { return gone_ == members_.size(); }
  /// Gives the warps back, as they are by now.
  void part();
  /// It has had them from their beginning to the end of all.
  bool had_all() const { return holds_ && from_begin_ && ended_ == members_.size(); }
  /// They begin anew; `all`: each of them has begun.
  void forget(bool all) {
    holds_ = false;
    begin_ = all;
  }

 private:
  exec::NativeCode code_at(exec::NativeKernel& native, const exec::Stand& at,
                           const exec::Member& member) const;
  bool has_code(exec::NativeKernel& native) const;
  bool gather_anew(exec::NativeKernel& native, exec::MemoryPort& port, exec::Watched* watched);
  exec::Left run(exec::NativeKernel& native, exec::Passage& passage, std::size_t& next, Gone& gone);
  std::size_t count(std::size_t next, std::size_t came);
  bool meet(std::size_t last);
  void go_on_from(const exec::Member& last);
  bool end_phase(Gone& gone, std::size_t next);

  const Warps& warps_;
  Barriers& barriers_;
  std::vector<exec::Member> members_;  // by index of the warp
  exec::Stand start_;                  // of the phase
  std::size_t first_ = 0;              // the warp that went first in it
  std::size_t gone_ = 0, ended_ = 0;   // so many have come to its end; to that of the kernel
  bool as_one_ = false;                // all went from its beginning to one place in one call of code
  bool holds_ = false;
  bool begin_ = false;       // all stand where the kernel begins, and nobody has looked at them since
  bool from_begin_ = false;  // it took them where the kernel begins
  bool whole_ = false;       // all were whole once, so they are whenever they begin; `members_` are theirs
};

}  // namespace wedjat::sched
