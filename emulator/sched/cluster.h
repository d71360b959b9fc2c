// The CTAs of one cluster, which run together on one host thread: what is scheduled.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/exec/access/watch.h"
#include "emulator/memory/recycled.h"
#include "emulator/sched/cta.h"

namespace wedjat::sched {

/// A slot that runs one cluster after the other. A launch without clusters has clusters of one CTA.
class Cluster : public memory::Recycled<Cluster> {
 public:
  /// `turn`: index of the cluster whose turn it is; null if nothing in the kernel is ordered.
  Cluster(const exec::Launch& launch, const std::atomic<std::uint64_t>* turn, Progress& progress);

  void begin(std::uint64_t cluster_index);
  /// `followers`: clusters that may be run at once with it (Cta::run), or null. Never Stop::waiting. Throws
  /// exec::Fault.
  Stop run(exec::MemoryPort& port, Followers* followers = nullptr);
  /// In the order they begin; unshuffled x + y * nclusterid.x + z * nclusterid.x * nclusterid.y.
  std::uint64_t index() const { return ctas_.front()->cluster(); }

  const std::vector<std::unique_ptr<Cta>>& ctas() const { return ctas_; }

  exec::Footprint* own =
      nullptr;  ///< of it alone; null: it goes to what its thread's clusters have in common

 private:
  Stop advance(exec::MemoryPort& port, Followers* followers);
  void end_waits();
  std::uint64_t steps() const;

  const exec::Launch& launch_;
  ClusterBarrier barrier_;
  std::vector<std::unique_ptr<Cta>> ctas_;  // by rank
  std::vector<std::byte*> shared_;
  std::size_t cursor_ = 0, unfinished_ = 0;
  std::size_t stalled_ = 0;  // CTAs in a row that only waited
  std::uint64_t steps_ = 0;  // of all CTAs when one last made progress
  std::uint64_t given_up_ = 0, waits_ended_ = 0;
};

}  // namespace wedjat::sched
