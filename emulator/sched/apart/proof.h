// Whether the CTAs of a launch have nothing to do with each other, found before they run.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "emulator/exec/cta/launch.h"
#include "emulator/sched/apart/linear.h"

namespace wedjat::sched::apart {

/// Device addresses that some step of a launch may reach.
struct Reached {
  Range range;  ///< the first byte, and the one behind the last
  bool writes = false;
};

/// What allocations have of it.
std::vector<memory::Extent> memory_of(const Reached& reached, const memory::DeviceMemory& memory);

/// No CTA of a launch changes a byte of device memory that another one changes, or reads where it is known
/// beforehand where that is.
struct Apart {
  std::vector<Reached> reached;         ///< by all other steps
  std::vector<std::uint32_t> indirect;  ///< Step::id of those that may read what another CTA changes
};

/// What is known of the launches of one kernel; of one at a time.
class Proofs {
 public:
  /// What is shown of the launch, until the next question. Null: nothing.
  const Apart* of(const exec::Launch& launch);
  /// So long the kernel ran since; what proofs take is to be little beside it.
  void ran(double seconds) {
    running_ += seconds;
    last_ = seconds;
  }

 private:
  struct Shown {
    exec::Dim3 grid, block;
    std::vector<std::byte> parameters;
    std::optional<Apart> apart;  ///< nothing: it could not be shown
    bool is_of(const exec::Launch& launch) const;
  };
  const Shown& show(const exec::Launch& launch);

  std::deque<Shown> shown_;           // the latest first
  double proving_ = 0, running_ = 0;  // seconds
  double last_ = 0;                   // of the launch before
};

}  // namespace wedjat::sched::apart
