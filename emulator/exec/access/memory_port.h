// How the lanes of a warp reach host memory: caches, bounds and the slow paths. One per worker thread.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "emulator/exec/access/address_pattern.h"
#include "emulator/exec/access/context.h"
#include "emulator/exec/access/use.h"
#include "emulator/memory/device_memory.h"
#include "emulator/memory/windows.h"

namespace wedjat::exec {

class KeptWrites;
class Watch;

/// What an instruction did when it last ran: it will likely do so again.
struct Recent {
  memory::Extent extent;  ///< the allocation it reached, or what it may read of that
  RowShape shape;         ///< of the addresses of a whole warp
  bool noted = false;     ///< MemoryPort::watch wants to know its accesses to `extent`
  bool own = false;  ///< what it updates there is a part of the result, of this thread alone (part_sums.h)
};

struct MemoryPort {
  const memory::DeviceMemory* device = nullptr;
  std::vector<Recent> cache;     ///< by Step::id
  std::uint64_t generation = 0;  ///< of `device` when the cache was filled
  bool concurrent = false;       ///< other host threads run CTAs of this launch: updates must be atomic

  std::byte* shared = nullptr;  ///< of the running CTA
  std::uint64_t shared_bytes = 0, shared_address = 0;
  std::span<std::byte* const> cluster;  ///< shared memory of the CTAs of its cluster, by rank
  std::byte* local = nullptr;           ///< of the running warp: lane after lane, `local_stride` apart
  std::uint64_t local_stride = 0, local_bytes = 0;
  std::byte* parameters = nullptr;  ///< of the launch
  std::uint64_t parameter_bytes = 0;
  memory::Window constants{};  ///< the constant variables of its module
  Watch* watch = nullptr;      ///< of this thread; null: nobody wants to know what is touched
  KeptWrites* kept = nullptr;  ///< of the launch; null: it may read all that is there

  /// Forgets translations that a free() may have voided.
  void refresh() {
    if (generation == device->generation()) return;
    generation = device->generation();
    forget();
  }
  void forget() { cache.assign(cache.size(), Recent{}); }
};

/// Lane l finds its byte `address` at base + address + l * stride on the host.
struct Reach {
  std::uintptr_t base = 0;
  std::uint64_t stride = 0;
};

/// An access of `bytes` by each lane of `mask`.
struct Access {
  const std::uint64_t* address;
  std::uint32_t mask;
  std::uint32_t bytes;
};

/// One Reach for accesses of `bytes` at addresses in [low, high], or false if they spread over several
/// allocations or windows, or reach what is not there.
bool reach_slowly(WarpContext& warp, const kernel::Step& step, kernel::Space space, std::uint64_t low,
                  std::uint64_t high, std::uint64_t bytes, Use use, Reach& reach);
/// The host address of each lane of the mask, noted if need be. Throws Fault for the lowest lane that has
/// none.
void reach_each(WarpContext& warp, const kernel::Step& step, kernel::Space space, const Access& access,
                Use use, std::uintptr_t* host);
/// The host address of `bytes` at one lane's address, noted if need be. Throws Fault.
std::byte* reach_lane(WarpContext& warp, const kernel::Step& step, kernel::Space space, int lane,
                      std::uint64_t address, std::uint64_t bytes, Use use);
/// Tells the watch of accesses that reach_slowly() or a memory near by answered.
void note_range(WarpContext& warp, const kernel::Step& step, Use use, std::uint64_t address,
                std::uint64_t bytes);
void note_lanes(WarpContext& warp, const kernel::Step& step, Use use, const Access& access);
[[gnu::cold, noreturn]] void fail_misaligned(WarpContext& warp, const kernel::Step& step, kernel::Space space,
                                             const Access& access);

/// How lanes reach a space: spaces of one kind share their code, and only a search asks which of them it is.
enum class Nearby {
  allocation,  ///< what the instruction reached last: global, const and generic addresses
  shared,      ///< of the running CTA, also as a part of its cluster's
  local,       ///< each lane has a memory of its own
  nowhere,     ///< parameters
};

constexpr Nearby nearby(kernel::Space space) {
  using kernel::Space;
  switch (space) {
    case Space::Global:
    case Space::Generic:
    case Space::Const:
      return Nearby::allocation;
    case Space::Shared:
    case Space::SharedCluster:
      return Nearby::shared;
    case Space::Local:
      return Nearby::local;
    default:
      return Nearby::nowhere;
  }
}

/// Whether note_range() or note_lanes() must follow an access.
template <Nearby near>
[[gnu::always_inline]] inline bool is_noted(const MemoryPort& port, const kernel::Step& step) {
  return near == Nearby::allocation && port.cache[step.id].noted;
}

/// Memory that lanes reach without a search: [low, low + size).
struct Near {
  std::uint64_t low, size;
  Reach reach;
};

/// The space itself if there is one of it, else the allocation that the instruction reached last.
template <Nearby near>
[[gnu::always_inline]] inline Near near_memory(const MemoryPort& port, const kernel::Step& step) {
  if constexpr (near == Nearby::shared)
    return {port.shared_address,
            port.shared_bytes,
            {reinterpret_cast<std::uintptr_t>(port.shared) - port.shared_address, 0}};
  if constexpr (near == Nearby::local)
    return {0, port.local_bytes, {reinterpret_cast<std::uintptr_t>(port.local), port.local_stride}};
  if constexpr (near == Nearby::allocation) {
    const memory::Extent& hit = port.cache[step.id].extent;
    return {hit.address, hit.size, {reinterpret_cast<std::uintptr_t>(hit.host) - hit.address, 0}};
  }
  return {0, 0, {}};
}

/// reach_slowly(), unless it is near. `space` is one of the kind `near`, here as in all that is given both.
template <Nearby near>
[[gnu::always_inline]] inline bool reach_range(WarpContext& warp, const kernel::Step& step,
                                               kernel::Space space, std::uint64_t low, std::uint64_t high,
                                               std::uint64_t bytes, Use use, Reach& reach) {
  const Near memory = near_memory<near>(*warp.memory, step);
  if (low - memory.low < memory.size && high - memory.low < memory.size &&
      bytes <= memory.size - (high - memory.low)) [[likely]] {
    reach = memory.reach;
    return true;
  }
  return reach_slowly(warp, step, space, low, high, bytes, use, reach);
}

}  // namespace wedjat::exec
