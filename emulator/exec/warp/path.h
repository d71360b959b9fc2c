// Lanes of a warp that run together.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "emulator/exec/cta/barrier_port.h"
#include "emulator/exec/warp/frame.h"

namespace wedjat::exec {

struct Path {
  enum class State : std::uint8_t {
    ready,
    rendezvous,  ///< waits at its step for the lanes of `members`
    barrier,     ///< waits for the barrier of `arrival`; its step is done
    until,       ///< does its step again when others have run (step_flag::waits)
  };

  Frame* frame = nullptr;
  std::uint32_t block = 0, step = 0;  ///< step counts from the block's first
  std::uint32_t mask = 0;
  State state = State::ready;
  bool met = false;          ///< the rendezvous at its step has happened: execute it
  bool gave_up = false;      ///< nothing else could run: its step is done whatever comes of it
  bool yielded = false;      ///< ran long while others could run: they go first
  std::uint32_t streak = 0;  ///< what it ran since it last yielded
  std::uint32_t members = 0;
  BarrierArrival arrival;
  /// Native code left it here and knows something of its rows: Passage. Void once the loop runs a step that
  /// writes rows.
  std::uint32_t certificate = 0;

  bool ready() const { return state == State::ready; }
  bool meets(const Path& other) const {
    return ready() && other.ready() && frame == other.frame && block == other.block && step == other.step &&
           met == other.met && gave_up == other.gave_up;
  }
  /// Who runs first: who has not yielded, then the deeper call, then the earlier place; lanes break the tie.
  bool before(const Path& other) const {
    if (yielded != other.yielded) return other.yielded;
    if (frame->depth != other.frame->depth) return frame->depth > other.frame->depth;
    if (block != other.block) return block < other.block;
    if (step != other.step) return step < other.step;
    return __builtin_ctz(mask) < __builtin_ctz(other.mask);
  }
};

/// Room for as many as a warp may have, each of which is written before it is read: to clear it took a warp
/// of a short launch as long as all else.
class Paths {
 public:
  Path& operator[](std::size_t i) { return reinterpret_cast<Path*>(room_)[i]; }
  const Path& operator[](std::size_t i) const { return reinterpret_cast<const Path*>(room_)[i]; }
  Path* data() { return reinterpret_cast<Path*>(room_); }

 private:
  static_assert(std::is_trivially_copyable_v<Path>);
  alignas(Path) std::byte room_[32 * sizeof(Path)];
};

}  // namespace wedjat::exec
