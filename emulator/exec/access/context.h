// What a generated executor may touch: the warp's rows and this context. Nothing else, so that a second tier
// can inline it.
#pragma once
#include <cstddef>
#include <cstdint>

#include "emulator/kernel/lowered/step.h"

namespace wedjat::exec {

inline constexpr int lanes = 32;
inline constexpr std::uint32_t all_lanes = 0xffffffffu;

struct MemoryPort;   // access/memory_port.h: translation caches and the slow paths of loads, stores and
                     // updates
struct BarrierPort;  // cta/barrier_port.h: what Level::Cta executors call

struct WarpContext {
  std::byte* rows = nullptr;  // frame of the running function; Step::row offsets count from here
  std::uint32_t carry = 0;    // the state `cf`: one bit per lane
  std::uint32_t live = 0;     // lanes of the warp that exist and have not exited
  std::uint32_t cta_threads = 0;
  std::uint32_t cluster_rank = 0, cluster_ctas = 1;
  MemoryPort* memory = nullptr;
  BarrierPort* barrier = nullptr;
  void* owner = nullptr;  // the engine's Warp
};

template <class T>
inline T* row(WarpContext& warp, const kernel::Step& step, int operand) {
  return reinterpret_cast<T*>(__builtin_assume_aligned(warp.rows + step.row[operand], 64));
}

// A program did what its semantics forbid (`require … else undefined`). Cold: reports kernel, line, CTA and
// thread of the lowest lane in `failed`.
[[gnu::cold, noreturn]] void undefined(WarpContext& warp, const kernel::Step& step, std::uint32_t failed,
                                       const char* why);

}  // namespace wedjat::exec
