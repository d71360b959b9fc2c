// One CTA: its warps take shares of instructions in turn.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "emulator/exec/access/assertion.h"
#include "emulator/exec/access/watch.h"
#include "emulator/exec/warp/compiled.h"
#include "emulator/exec/warp/warp.h"
#include "emulator/memory/host_pages.h"
#include "emulator/memory/recycled.h"
#include "emulator/sched/barriers.h"
#include "emulator/sched/phases.h"
#include "emulator/sched/progress.h"
#include "emulator/sched/shuffle.h"

namespace wedjat::sched {

/// Why a CTA stopped.
enum class Stop : std::uint8_t {
  finished,
  turn,       ///< it needs its turn to go on
  turn_over,  ///< its turn lasted long enough; it can go on without
  budget,     ///< it ran long; it can go on
  waiting,    ///< every thread waits; other CTAs of its cluster may end that
};

/// What may run before others get their turn, in steps.
struct Shares {
  std::int64_t warp;
  std::uint64_t turn,  ///< a CTA that spins on what another CTA must do keeps its turn no longer
      cta,             ///< then it makes room for others, lest it spins on one without any ordered step
      clustered;       ///< the same in clusters, whose CTAs may wait for each other at any time
};

/// CTAs that the thread which runs one has taken and not begun.
struct Followers {
  std::uint64_t next = 0, end = 0;  ///< index of the cluster
};

/// Local memory of a thread.
std::uint64_t local_bytes(const exec::Launch& launch);

/// A CTA of a Cluster, a slot that runs one CTA after the other: warps, their constant rows and memory are
/// made once.
class Cta final : public exec::CtaState, public memory::Recycled<Cta> {
 public:
  /// `turn`: index of the cluster whose turn it is; null if nothing in the kernel is ordered. `barrier`: of
  /// the cluster.
  Cta(const exec::Launch& launch, const std::atomic<std::uint64_t>* turn, ClusterBarrier& barrier,
      Progress& progress);

  void begin(exec::Dim3 ctaid, std::uint64_t cluster, std::uint32_t rank);
  /// Where native code takes all of it, that may take some of those that follow, too: then this is the last
  /// one of them that it came to. Throws exec::Fault.
  Stop run(exec::MemoryPort& port, Followers* followers);
  /// Of the one that it is now.
  std::uint64_t cluster() const { return cluster_; }
  /// Those that it has been since begin(), and what the earlier ones of them ran.
  std::uint64_t ctas() const { return ctas_; }
  std::uint64_t earlier_steps() const { return earlier_steps_; }
  bool finished() const { return unfinished_ == 0; }
  void end_turn() { turn_ = false; }
  /// Waits for mbarriers that may end at any time do so. Returns whether there were any.
  bool give_up();
  /// One line for each path of lanes.
  std::string describe_paths() const;

  std::byte* shared() const { return shared_.data(); }
  const std::vector<std::unique_ptr<exec::Warp>>& warps() const { return warps_; }

 private:
  bool take_turn() override;
  void clear_local();
  void next_warp();
  Stop finish();
  exec::Stop run(exec::Warp& warp, exec::MemoryPort& port);
  void note(const exec::Assertion& failed, std::size_t warp);
  void tell_progress(std::uint64_t steps);
  void check_limit() const;

  // sweep.cpp: warps that native code takes
  void begin_warps();
  void sweep(exec::MemoryPort& port, std::uint64_t room);
  static std::byte* begin_next(exec::Sweep& sweep);
  std::uint32_t may_follow(std::uint32_t whole) const;
  void list_followers(std::uint32_t count);
  void come_to(const exec::Sweep& sweep);
  void come_behind(const exec::Sweep& swept);
  void follow();
  bool gather(exec::MemoryPort& port);
  std::optional<Stop> go_together(exec::MemoryPort& port, std::uint64_t until);

  const std::atomic<std::uint64_t>* turn_of_;
  const Shares shares_;
  Progress& progress_;
  std::uint64_t untold_ = 0;  // steps that `progress_` does not know of, of earlier CTAs too
  memory::HostPages shared_, local_pages_;
  exec::LocalMemory local_;  // of warp 0; warps follow each other
  std::vector<std::unique_ptr<exec::Warp>> warps_;
  Barriers barriers_storage_;
  const std::unique_ptr<Phases> phases_;
  std::uint64_t gathered_ = 0;  // barriers that were complete when `phases_` last looked at the warps

  std::optional<Shuffle> shuffle_;
  std::vector<std::size_t> order_;      // warps
  std::size_t cursor_ = 0;              // in `order_`: the warp that runs
  std::int64_t share_ = 0, given_ = 0;  // what is left of its share, and what that was
  std::uint64_t turns_given_ = 0;       // to warps
  std::size_t stalled_ = 0;             // warps in a row that could do nothing
  std::size_t unfinished_ = 0;
  std::optional<exec::Assertion> failed_;           // of all its warps that failed one: those do not go on
  std::uint64_t failed_warps_ = 0, failed_at_ = 0;  // one bit each; `steps` when the first did
  const bool may_sweep_;
  const std::uint32_t visits_told_each_;  // of so many CTAs one tells its visits of places without code
  std::size_t begun_ = 0;  // warps from here on have not begun, while there is code that sweeps
  std::uint64_t swept_ = 0, stopped_ = 0;  // warps that came to their ends in such code, and that did not
  std::vector<std::uint64_t> of_cta_, of_warps_;  // of exec::Sweep
  std::vector<std::uint32_t> renewed_;            // those of `of_cta_` that differ from CTA to CTA
  std::array<exec::NotedRun, exec::Sweep::most_runs> runs_;
  std::uint64_t cluster_ = 0;  // index
  Followers* followers_ = nullptr;
  std::uint64_t ctas_ = 1, earlier_steps_ = 0;
  std::uint32_t swept_ctas_ = 0;             // of the sweep under way, it has been so many
  exec::Watch* watch_ = nullptr;             // of the thread that runs it
  std::uint64_t cost_ = 0, turn_began_ = 0;  // shares used, in all and when the turn came
};

}  // namespace wedjat::sched
