// What native code is told of paths, and tells.
#pragma once
#include <array>
#include <cstdint>

#include "emulator/exec/access/memory_port.h"
#include "emulator/exec/cta/cta_state.h"

namespace wedjat::exec {

enum class Left : std::uint8_t {
  refused,     ///< the rows are not what the code was made for: nothing has happened
  at_step,     ///< before a step, or the end of a block, that the loop has to do, with the rest of the block
  at_block,    ///< between two blocks; the loop decides who goes on
  apart,       ///< at_step, but without the lanes of Passage::waiting, which are ahead and wait
  at_barrier,  ///< behind a barrier of all threads, where the path has to arrive now
  ended,       ///< all its lanes have come to the end of the kernel
};

/// Where native code left a path.
struct Stand {
  std::uint32_t block = 0, step = 0;  ///< a step past the last: the end of the block
  std::uint32_t certificate = 0;      ///< what is known of its rows there; 0: nothing
  Left left = Left::refused;          ///< at_barrier or ended: that it is so
  std::uint8_t barrier = 0;           ///< the number of the barrier
  std::uint16_t filling = 0;          ///< so that it is copied at once, not in parts that overlap
};
static_assert(sizeof(Stand) == 16, "native code writes it at once");

/// A path on its way through native code.
struct Member {
  std::byte* rows = nullptr;  ///< of its frame
  WarpContext* warp = nullptr;
  std::byte* local = nullptr;  ///< memory of its lanes: MemoryPort
  Stand at;                    ///< where it was left
  std::uint32_t streak = 0;    ///< Path::streak
  Watched* watched = nullptr;  ///< CtaState::watched
};

/// Lanes of a path that wait for others of it at the start of a block; or none.
struct Waiting {
  std::uint32_t block, lanes, streak;
};
inline constexpr std::size_t most_waiting = 8;

/// Paths of a CTA that go through the same code, one after the other: the next one starts when the one before
/// it has come to a barrier or to its end.
struct Passage {
  Member *member = nullptr, *end = nullptr;         ///< the first; then the one that came last
  Member *ring = nullptr, *ring_end = nullptr;      ///< who follows the last of these; null: they end sooner
  const Recent* recent = nullptr;                   ///< by Step::id
  std::byte** local = nullptr;                      ///< MemoryPort::local
  std::uint64_t shared_host = 0, shared_bytes = 0;  ///< host - address; and how much there is
  std::uint64_t shared_address = 0;
  std::uint32_t mask = 0;   ///< lanes of each path
  std::uint32_t rival = 0;  ///< it leaves at the end of a block if the next one is not before this one,
  std::int64_t floor = 0;   ///< or the budget is not above this
  std::int64_t budget = 0;  ///< of the first; then what the one that came last has left
  std::int64_t share = 0;   ///< the budget of each of the others
  std::uint64_t room = 0;   ///< nobody starts once all together have used more
  // Sums, to which code adds:
  std::uint64_t used = 0;          ///< of their budgets
  std::uint64_t steps = 0;         ///< that the code ran
  std::uint64_t instructions = 0;  ///< PTX instructions of the blocks that it ended
  std::uint64_t missing = 0;       ///< the same, summed over lanes of `mask` that were not there
  std::uint32_t certificate = 0;   ///< what code that left them where they start knows of their rows
  /// Left::at_barrier, Left::ended: the places that the paths came to, a bit each; two bits for all places
  /// that have none of their own.
  std::uint64_t came = 0;
  /// Who began the phase, if all that go began it one after the other; null: not so, or nobody cares. Code
  /// that all of them have gone through to one place begins the next phase itself where that has code:
  Member* first = nullptr;  ///< then who began that one,
  Stand start;              ///< where,
  std::uint32_t begun = 0;  ///< and how many phases began so
  /// Where lanes are apart: the places where those that are not behind may wait.
  std::uint32_t places = 0;
  std::array<Waiting, most_waiting> waiting{};
};

/// With what is the same for all that run with this port.
Passage passage_through(MemoryPort& port);
/// Adds what ran to the counts of its CTA.
void add(CtaState& cta, const Passage& ran);

/// All that may be read again lies in the rows when it returns. Lets through what executors throw.
using NativeCode = Left (*)(Passage&);

}  // namespace wedjat::exec
