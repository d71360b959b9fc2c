// What steps of a kernel make of what is known, and what they touch.
#pragma once
#include <cstdint>
#include <vector>

#include "emulator/exec/cta/launch.h"
#include "emulator/sched/apart/state.h"
#include "emulator/sched/apart/touched.h"

namespace wedjat::sched::apart {

/// Thrown where it cannot be told what a launch touches.
struct Unknown {};

class Steps {
 public:
  Steps(const exec::Launch& launch, Symbols& symbols) : launch_(launch), symbols_(symbols) {}

  /// Before the first step. The symbols of CTAs and threads come first.
  State at_beginning();
  /// Throws Unknown.
  void run(const kernel::Step& step, State& state);

  /// Of what a guard says: nothing if no thread goes there.
  bool assume(State& state, std::uint16_t guard, bool holds) const;

  /// A range of a number that may pass those of its type is taken to be in it: to guess, not to prove.
  bool guesses = false;
  std::vector<Touched> touched;

 private:
  void run_unguarded(const kernel::Step& step, State& state);
  void run_system(const kernel::Step& step, State& state);
  void touch(const kernel::Step& step, const State& state);

  const exec::Launch& launch_;
  Symbols& symbols_;
};

}  // namespace wedjat::sched::apart
