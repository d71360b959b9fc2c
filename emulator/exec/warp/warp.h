// One warp: the paths of its lanes, and the loop that runs them (README.md says by what rule).
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "emulator/exec/access/memory_port.h"
#include "emulator/exec/cta/cta_state.h"
#include "emulator/exec/warp/frame.h"
#include "emulator/exec/warp/passage.h"
#include "emulator/exec/warp/path.h"
#include "emulator/exec/warp/pieces.h"
#include "emulator/memory/recycled.h"

namespace wedjat::exec {

class NativeKernel;

/// Why a warp stopped.
enum class Stop : std::uint8_t {
  budget,    ///< it ran its share
  waiting,   ///< every path waits
  finished,  ///< no lane is left
  turn,      ///< the next step needs the CTA's turn
};

/// Local memory of a warp: lane after lane.
struct LocalMemory {
  std::byte* host = nullptr;
  std::uint64_t stride = 0;  ///< bytes from lane to lane
  std::uint64_t bytes = 0;   ///< of one lane
};

class Warp : public memory::Recycled<Warp> {
 public:
  /// Lane l is thread 32 * index + l of the CTA.
  Warp(CtaState& cta, std::uint32_t index, LocalMemory local);
  Warp(const Warp&) = delete;
  Warp& operator=(const Warp&) = delete;

  /// Starts the kernel's entry for the CTA that `cta` now is.
  void begin();
  /// The same of all warps of a CTA, if native code took them together from their beginning to their end.
  static void begin_again(std::span<const std::unique_ptr<Warp>> all);
  /// Runs about `budget` steps and takes them off it.
  Stop run(MemoryPort& port, std::int64_t& budget);

  /// Of the frame that it begins in.
  std::byte* rows() const { return entry_->rows; }
  /// What native code tells of accesses names it.
  WarpContext& context(MemoryPort& port) {
    context_.memory = &port;
    return context_;
  }
  /// It has begun, and native code took it here, and left it so.
  void go_on(const Member& self, Left left, const Passage& passage);
  /// All its lanes are one path, in no call, which is ready or waits at a barrier of all threads and nothing
  /// else: where. Stand::left: at_barrier or at_block.
  std::optional<Stand> whole() const;
  /// For native code that takes it with others of its CTA, while it is whole.
  Member member(MemoryPort& port);

  /// The lanes of the running step wait for a barrier from now on.
  void wait_for_barrier(const BarrierArrival& arrival);
  /// The barrier is complete: who waited for it goes on, with the outcome in its rows. Returns whether anyone
  /// did.
  bool release_barrier(std::uint32_t name, std::uint32_t population, bool all, bool any);

  /// Called by a step that only watches: it counts for no share and no limit, so that watching changes
  /// nothing.
  void discount() {
    --cta_.steps;
    ++*budget_;
  }
  /// Groups its lanes are split in.
  std::uint32_t paths() const { return path_count_; }
  /// Waits of step_flag::waits end, whatever came of them. Returns whether there were any.
  bool give_up();

  std::uint32_t live() const { return context_.live; }
  std::uint32_t index() const { return index_; }
  /// All that it has.
  std::uint32_t all_its_lanes() const { return lanes_; }
  const CtaState& cta() const { return cta_; }
  /// Bytes at the start of each lane's local memory that may have been written since begin().
  std::uint64_t local_used() const { return local_high_; }
  /// One line for each path: lanes, place, what it waits for.
  std::string describe_paths() const;

  /// Set by a step that watches the next one: where that one tells what it accesses.
  Pieces* pieces = nullptr;

 private:
  enum class Next : std::uint8_t { step, pick, turn };

  // warp.cpp: paths
  void make_entry();
  bool pick();
  void begin_streak();
  std::uint32_t first_rival() const;
  Path& current() { return paths_[current_]; }
  Path& split(const Path& from, std::uint32_t mask);
  void remove(std::uint32_t path);
  void jump(std::uint32_t block);
  void exit_lanes(std::uint32_t mask);

  // compiled.cpp
  Watched* watched() const;
  Left run_native(NativeKernel& native);
  void leave_native(const Member& self, Left left, const Passage& passage);
  void arrive(std::uint32_t barrier);

  // run.cpp: the loop
  Next run_block();
  Next special(const kernel::Step& step, std::uint32_t offset);
  std::uint32_t guarded(std::uint16_t guard, bool negated, std::uint32_t mask) const;
  void count(std::uint64_t steps);
  void execute(const kernel::Step& step, std::uint32_t mask);
  void end_block(const kernel::Block& block);
  void branch_indexed(const kernel::Terminator& end, std::uint32_t mask);

  // rendezvous.cpp: warp_sync forms
  Next meet(const kernel::Step& step);
  void execute_groups(const kernel::Step& step, std::uint32_t mask);
  void release_rendezvous(std::uint32_t members);

  // until.cpp: steps that wait for a predicate
  Next wait_until(const kernel::Step& step, std::uint32_t offset, std::uint32_t active);
  bool try_again();

  // call.cpp
  void call(const kernel::Terminator& end, std::uint32_t mask);
  void enter(std::uint32_t function, const kernel::Terminator& end);
  void leave(std::uint32_t mask);
  void transfer(const Frame& from, const kernel::Place& source, const Frame& to, const kernel::Place& target,
                std::uint32_t mask);
  std::byte* local_of(const Frame& frame, std::uint32_t lane) const;

  // system.cpp: steps without an executor
  void system(const kernel::Step& step, std::uint32_t mask);
  void refresh(const kernel::Step& step, std::uint32_t mask);
  void allocate_local(const kernel::Step& step, std::uint32_t mask);
  void raise_top(std::uint32_t lane, std::uint64_t top, std::uint32_t id);

  template <class T>
  T* operand(const kernel::Step& step, int which) {
    return row<T>(context_, step, which);
  }

  CtaState& cta_;
  std::uint32_t index_, lanes_;
  LocalMemory local_;
  WarpContext context_;
  FramePool frames_;
  Frame* entry_ = nullptr;
  struct Renewed {
    kernel::RowFill fill;
    bool same_in_cta;  ///< one number for all lanes of all its warps
  };
  std::vector<Renewed> renewed_;  ///< fills of the entry that differ from CTA to CTA

  Paths paths_;
  std::uint32_t path_count_ = 0, current_ = 0;
  /// The current path goes on without a look at the others as long as its block comes before this one, which
  /// the first of them waits at, and its share is above `floor_`. 0: what others may do has changed.
  std::uint32_t rival_ = 0;
  std::uint32_t certificate_ = 0;  // of the path, if it stands at a barrier and nothing has run since
  std::int64_t floor_ = 0;
  std::optional<std::int64_t> streak_from_;  ///< of the budget, since when it runs while others could
  bool by_hand_ = false;                     ///< native code left the path where it stands
  bool interrupted_ = false;                 ///< run() stopped for the turn in the middle of the current path
  std::uint64_t tried_ = 0;                  ///< steps of the CTA when paths that wait last tried again
  std::int64_t* budget_ = nullptr;
  const kernel::Step* uncounted_ = nullptr;  ///< first step of the running block that count() has not seen

  alignas(64) std::uint32_t top_[lanes]{};  ///< end of each lane's local frames
  std::uint32_t local_high_ = 0;
};

}  // namespace wedjat::exec
