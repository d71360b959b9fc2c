// What one host thread needs to run CTAs of a launch.
#pragma once
#include <exception>
#include <memory>
#include <optional>
#include <vector>

#include "emulator/exec/access/memory_port.h"
#include "emulator/exec/access/watch.h"
#include "emulator/sched/cluster.h"
#include "emulator/sched/grid.h"

namespace wedjat::sched {

/// `concurrent`: several threads run CTAs at once and updates of device memory are not ordered among them.
exec::MemoryPort make_port(const exec::Launch& launch, bool concurrent, exec::Watch* watch);

/// What a thread notes, if the launch is watched.
inline std::optional<exec::Watch> make_watch(const exec::Launch& launch) {
  return launch.watch == nullptr ? std::nullopt : std::make_optional<exec::Watch>(*launch.watch);
}

/// What is scheduled: CTAs alone if the launch forms no clusters.
inline std::uint64_t clusters(const exec::Launch& launch) {
  return launch.grid.count() / launch.cluster.count();
}

/// Its CTAs advance by turns, all that a device holds at once.
inline bool one_by_one(const exec::Launch& launch) {
  return launch.options.side_by_side || launch.options.shuffle != 0;
}

/// Clusters an H100 holds at once: as many may wait for each other, here as there.
std::uint64_t resident_on_device(const exec::Launch& launch);

/// Host threads for the launch.
unsigned threads_for(const exec::Launch& launch);

inline void add(Statistics& sum, const Cluster& cluster) {
  for (const auto& cta : cluster.ctas()) {
    sum.ctas += cta->ctas();
    sum.warp_instructions += cta->warp_instructions;
    sum.steps += cta->earlier_steps() + cta->steps;
    sum.native_steps += cta->native_steps;
    sum.thread_instructions += cta->thread_instructions;
  }
}

/// The fault of the CTA that counts as the first: keeps the one with the lowest index.
struct FirstFault {
  std::uint64_t index = ~std::uint64_t{0};
  std::exception_ptr error;
  void add(std::uint64_t cta, std::exception_ptr thrown) {
    if (cta >= index) return;
    index = cta;
    error = std::move(thrown);
  }
};

/// Nothing in the kernel is ordered: CTAs run in any order.
Statistics run_free(const exec::Launch& launch);
/// CTAs take turns for ordered steps.
Statistics run_in_turns(const exec::Launch& launch);
/// One of the two.
inline Statistics run_unguarded(const exec::Launch& launch) {
  return launch.kernel.ordered ? run_in_turns(launch) : run_free(launch);
}

}  // namespace wedjat::sched
