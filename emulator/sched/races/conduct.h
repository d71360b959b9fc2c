// What was learned of a kernel in launches on several host threads. It decides how fast the next one is,
// never what comes of it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "emulator/exec/access/watch.h"
#include "emulator/kernel/lowered/kernel.h"
#include "emulator/sched/apart/proof.h"

namespace wedjat::sched {

/// A way that ended in launches that had to be undone: more of them each time go without it.
class Patience {
 public:
  /// Whether the next launch is to try it.
  bool tries();
  void ended(bool well);

 private:
  std::uint32_t penalty_ = 0, wait_ = 0;  ///< launches
};

struct Conduct {
  static constexpr double least_patience = 2, most_patience = 64;

  bool alone = false;  ///< it does what cannot be undone or is not watched: malloc, texels it also writes
  bool has_texels = false;  ///< textures or surfaces, whose texels are not watched
  std::optional<exec::KernelUpdates> updates;
  apart::Proofs apart;  ///< launches whose CTAs have nothing to do with each other
  Patience with_kept_writes;
  /// What the last launch with these parameters wrote, for the next one with them.
  struct {
    std::vector<std::byte> parameters;
    std::optional<exec::WrittenAs> written_as;
  } last;
  bool every_read = false;  ///< it writes where it read long before: all reads have to be noted

  /// Whether to try several threads.
  bool may_run_together() { return !alone && together_.tries(); }
  void learn(bool raced, bool abandoned, bool missed_reads);

  /// Whether one thread is likely to be done before so many, which have to note what they touch. Now and then
  /// the other way, to see whether that still holds: native code may have been made since.
  bool is_faster_alone(unsigned threads) const;
  /// So long a launch of so many steps took, on one thread or not.
  void took(bool on_one, double seconds, std::uint64_t steps);

 private:
  Patience together_;
  double each_alone_ = 0, each_together_ = 0;  ///< seconds of a step, when last measured; 0: never
  double last_ = 0;                            ///< seconds of the last launch
  std::uint64_t steps_ = 0;                    ///< of it
  double since_ = 0;                           ///< seconds of launches since the other way was tried
  double patience_ = least_patience;           ///< how often what that takes has to pass before it is again
};

/// Of a kernel that this process lowered; it is kept. One launch of it at a time.
Conduct& conduct_of(const kernel::Kernel& kernel);

}  // namespace wedjat::sched
