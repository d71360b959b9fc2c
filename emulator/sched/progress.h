// How far a launch is: for its step limit, and to end it where it is.
#pragma once
#include <atomic>
#include <cstdint>

#include "emulator/exec/cta/interruption.h"
#include "emulator/exec/cta/launch.h"

namespace wedjat::sched {

class Cta;

/// Of all CTAs of a launch.
class Progress {
 public:
  explicit Progress(const exec::Launch& launch) : launch_(launch) {}

  /// `more` steps were run, lately by this CTA. Throws exec::Fault.
  void add(std::uint64_t more, const Cta& cta) {
    const std::uint64_t all = steps_.fetch_add(more, std::memory_order_relaxed) + more;
    const std::uint64_t limit = launch_.options.launch_step_limit;
    if (limit != 0 && all > limit) [[unlikely]]
      fail_limit(cta);
  }
  /// Throws exec::Fault if somebody wants the launch to end.
  void check(const Cta& cta) const {
    if (exec::interruption.load(std::memory_order_relaxed) != 0) [[unlikely]]
      fail_interrupted(cta);
  }

 private:
  [[noreturn]] void fail_limit(const Cta& cta) const;
  [[noreturn]] void fail_interrupted(const Cta& cta) const;

  const exec::Launch& launch_;
  std::atomic<std::uint64_t> steps_{0};
};

}  // namespace wedjat::sched
