// Watches what the CTAs of a launch touch in device memory while several host threads run them, so that
// sched/ can tell whether their order mattered, and undo the launch if it did.
#pragma once
#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emulator/exec/access/context.h"
#include "emulator/exec/access/fault.h"
#include "emulator/exec/access/footprint.h"
#include "emulator/exec/access/part_results.h"
#include "emulator/exec/access/use.h"
#include "emulator/kernel/lowered/kernel.h"
#include "emulator/memory/device_memory.h"
#include "emulator/memory/undo.h"

namespace wedjat::exec {

/// What the updates of a kernel are; valid as long as it is.
struct KernelUpdates {
  explicit KernelUpdates(const kernel::Kernel& kernel);

  /// A step that updates one word and commutes with itself.
  struct Update {
    UpdateRunner runner;
    UpdateAlgebra algebra;
  };
  std::vector<std::uint8_t> touches;                  ///< by step, if it updates
  std::unordered_map<std::uint32_t, Update> updates;  ///< by step; of those that commute
  bool ordered;
};

/// How a launch wrote allocations, by their host memory: Touch::write, or the updates that it did alone.
using WrittenAs = std::unordered_map<const std::byte*, std::uint8_t>;

/// Of a launch, for all threads.
class LaunchWatch {
 public:
  /// `every_read`: also of allocations that nothing seems to write. `undo_limit`: bytes. `owned`: notes tell
  /// whose each word is, and updates are noted as all else is. `before`: what a launch before wrote, as this
  /// one likely does; null: each thread finds it out in its first CTA.
  LaunchWatch(const KernelUpdates& updates, bool every_read, std::uint64_t undo_limit, bool owned = false,
              const WrittenAs* before = nullptr);

  /// Whether accesses of this kind to the allocation have to be noted one by one. Throws Abandoned if some
  /// were not that should have been. `learning`: nobody knows yet what the kernel does.
  bool follow(const memory::Extent& extent, Use use, std::uint8_t touch, bool learning);
  Footprint& make(Phase phase);
  void keep(std::byte* at, std::size_t size);
  [[noreturn]] void abandon();

  /// Null for steps that do not commute with themselves.
  const KernelUpdates::Update* update_of(std::uint32_t step_id) const {
    const auto found = updates_.updates.find(step_id);
    return found == updates_.updates.end() ? nullptr : &found->second;
  }
  std::uint8_t touch_of(Use use, std::uint32_t step_id) const {
    return use == Use::read ? Touch::read : use == Use::write ? Touch::write : updates_.touches[step_id];
  }
  bool every_read() const { return every_read_; }
  bool is_learning() const { return every_read_ || !knows_; }
  WrittenAs written_as() const;
  bool owned() const { return owned_; }
  /// A read came first that was not noted, then a write; not because another launch had no such write.
  bool missed_reads() const { return missed_reads_ && !knows_; }
  bool abandoned() const { return abandoned_; }
  const std::deque<Footprint>& footprints() const { return footprints_; }
  Footprint& turn() { return turn_; }
  void restore() const { undo_.restore(); }

  /// Clusters that have had a turn; of the thread that has it.
  std::atomic<std::uint32_t> turned{1};

 private:
  enum Flag : std::uint8_t { written = 1, read_noted = 2, read_unnoted = 4, updated_unnoted = 8 };
  struct Conduct {
    std::uint8_t flags = 0, touch = 0;
  };

  const KernelUpdates& updates_;
  const bool every_read_, ordered_, owned_, knows_;
  std::mutex mutex_;
  std::unordered_map<const std::byte*, Conduct> allocations_;  // by host memory: it may have two addresses
  std::deque<Footprint> footprints_;
  Footprint& turn_;
  memory::Undo undo_;
  std::atomic<bool> abandoned_{false}, missed_reads_{false};
};

/// Of one thread.
class Watch {
 public:
  explicit Watch(LaunchWatch& launch) : launch_(launch), learning_(launch.is_learning()) {}

  /// A cluster runs: what it touches goes to `own`, or to what this thread's clusters have in common.
  void enter(Footprint* own, std::uint64_t cluster);
  void take_turn(bool has_turn) { current_ = has_turn ? &launch_.turn() : base_; }
  /// What they had in common is of the cluster that ran last, from now on.
  Footprint* part();
  /// Clusters that run from now on may come before those that have run.
  void turn_back() { common_ = nullptr; }
  /// Whether it matters which of this thread's clusters, one after the other, touches what.
  bool tells_clusters_apart() const { return learning_ || launch_.owned(); }
  /// What the kernel's CTAs do to allocations is known. True the first time.
  bool learned() { return std::exchange(learning_, launch_.every_read()) && !learning_; }

  /// Whether accesses of the step to the allocation have to be noted.
  bool follow(const memory::Extent& extent, Use use, std::uint32_t step_id) {
    return launch_.follow(extent, use, launch_.touch_of(use, step_id), learning_);
  }
  /// What the thread updates instead of an allocation whose updates need no notes.
  std::optional<memory::Extent> stand_in(const memory::Extent& extent, std::uint32_t step_id);
  /// The thread's clusters have all finished.
  void finish() { parts_.deliver(); }
  /// Bytes at a host address of the allocation.
  void note(const memory::Extent& extent, Use use, std::uint32_t step_id, std::byte* at, std::uint64_t bytes);
  LaunchWatch& launch() { return launch_; }

 private:
  void mark(TouchedPage& page, unsigned first, unsigned bytes) const;

  LaunchWatch& launch_;
  bool learning_;
  std::uint32_t cluster_ = 0;
  PartResults parts_;
  Footprint *common_ = nullptr, *base_ = nullptr, *current_ = nullptr;
};

}  // namespace wedjat::exec
