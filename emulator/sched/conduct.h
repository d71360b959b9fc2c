// What was learned of a kernel in launches on several host threads. It decides how fast the next one is,
// never what comes of it.
#pragma once
#include <cstdint>
#include <optional>

#include "emulator/exec/access/watch.h"
#include "emulator/kernel/lowered/kernel.h"

namespace wedjat::sched {

struct Conduct {
  bool alone = false;  ///< it does what cannot be undone or is not watched: malloc, texels it also writes
  std::optional<exec::KernelUpdates> updates;
  bool every_read = false;  ///< it writes where it read long before: all reads have to be noted

  /// Whether to try several threads.
  bool may_run_together();
  void learn(bool raced, bool abandoned, bool missed_reads);

 private:
  std::uint32_t penalty_ = 0, wait_ = 0;  ///< launches on one thread after one that had to be undone
};

/// Of a kernel that this process lowered; it is kept. One launch of it at a time.
Conduct& conduct_of(const kernel::Kernel& kernel);

}  // namespace wedjat::sched
