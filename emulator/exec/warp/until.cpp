// Steps that may wait for their predicate (PTX ISA 9.7.13.15.16: mbarrier.test_wait, mbarrier.try_wait):
// lanes for which it is false stay at the step and do it again after others have run. When nothing else can
// run, their time is over and they go on with false.
#include "emulator/exec/warp/warp.h"

namespace wedjat::exec {

Warp::Next Warp::wait_until(const kernel::Step& step, std::uint32_t offset, std::uint32_t active) {
  if (active != current().mask) {
    split(current(), current().mask & ~active).step = offset + 1;
    current().mask = active;
    return Next::pick;
  }
  auto& predicate = *operand<std::uint32_t>(step, step.flags >> 8);
  const std::uint32_t before = predicate;
  execute(step, active);
  const std::uint32_t failed = active & ~predicate;
  cta_.waits_ended += static_cast<std::uint64_t>(__builtin_popcount(active & ~failed));
  if (failed == 0 || current().gave_up) {
    current().gave_up = false;
    return Next::step;
  }
  // Lanes that wait have not done the step: its guard may be the predicate itself.
  predicate = (predicate & ~failed) | (before & failed);
  if (failed != active) {
    split(current(), active & ~failed).step = offset + 1;
    current().mask = failed;
  }
  current().state = Path::State::until;
  return Next::pick;
}

bool Warp::try_again() {
  bool any = false;
  rival_ = 0;
  for (std::uint32_t i = 0; i < path_count_; ++i) {
    if (paths_[i].state != Path::State::until) continue;
    paths_[i].state = Path::State::ready;
    any = true;
  }
  return any;
}

bool Warp::give_up() {
  bool any = false;
  for (std::uint32_t i = 0; i < path_count_; ++i) {
    if (paths_[i].state != Path::State::until) continue;
    paths_[i].gave_up = true;
    any = true;
  }
  return any;
}

}  // namespace wedjat::exec
