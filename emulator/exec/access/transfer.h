// Bytes that go from one memory to another, as generated executors call them: `memory.copy` and
// `memory.reduce` of the semantics language. They are done when they are issued.
#pragma once
#include <cstring>

#include "emulator/exec/access/atomic_update.h"
#include "emulator/exec/access/memory_access.h"

namespace wedjat::exec {

namespace detail {

/// Whole copies of `bytes` by all lanes between runs of memory; false if they are not that.
template <kernel::Space to, kernel::Space from, unsigned bytes>
bool copy_run(WarpContext& warp, const kernel::Step& step, const std::uint64_t* address,
              const std::uint64_t* from_address) {
  if (!addresses_consecutive<bytes>(address) || !addresses_consecutive<bytes>(from_address)) return false;
  std::byte* const target = reach_run<nearby(to), bytes, Use::write>(warp, step, to, address[0], lanes);
  const std::byte* const source =
      reach_run<nearby(from), bytes, Use::read>(warp, step, from, from_address[0], lanes);
  if (target == nullptr || source == nullptr) return false;
  std::memmove(target, source, std::size_t{bytes} * lanes);
  return true;
}

}  // namespace detail

/// Each lane copies `size` bytes from `from_address`, at most `bytes`, and makes the rest of `bytes` 0. A
/// lane whose size is 0 reads nothing.
template <kernel::Space to, kernel::Space from>
void copy_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask, const std::uint64_t* address,
                const std::uint64_t* from_address, const std::uint32_t* size, const std::uint32_t* bytes) {
  bool whole = mask == all_lanes;
  for (int lane = 0; lane < lanes; ++lane) whole &= size[lane] == 16 && bytes[lane] == 16;
  if (whole && detail::copy_run<to, from, 16>(warp, step, address, from_address)) return;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    std::byte* const target = reach_lane(warp, step, to, lane, address[lane], bytes[lane], Use::write);
    if (size[lane] != 0)
      std::memmove(target, reach_lane(warp, step, from, lane, from_address[lane], size[lane], Use::read),
                   size[lane]);
    std::memset(target + size[lane], 0, bytes[lane] - size[lane]);
  }
}

template <kernel::Space to, kernel::Space from>
void copy_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask, const std::uint64_t* address,
                const std::uint64_t* from_address, const std::uint32_t* size) {
  copy_lanes<to, from>(warp, step, mask, address, from_address, size, size);
}

/// `count` elements at `target`, each with change(old, element of `source`); one update each if other host
/// threads may see them.
template <class T, class Change>
void reduce_elements(std::byte* target, const std::byte* source, std::uint64_t count, bool atomically,
                     Change change) {
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto at = reinterpret_cast<std::uintptr_t>(target + i * sizeof(T));
    const T element = detail::load<T>(reinterpret_cast<std::uintptr_t>(source + i * sizeof(T)));
    if (atomically)
      update_atomically<T>(at, [&](T old) { return static_cast<T>(change(old, element)); });
    else
      detail::store<T>(at, static_cast<T>(change(detail::load<T>(at), element)));
  }
}

/// Each lane combines `size` bytes of elements with those at `address`.
template <class T, kernel::Space to, kernel::Space from, class Change>
void reduce_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask,
                  const std::uint64_t* address, const std::uint64_t* from_address, const std::uint32_t* size,
                  Change change) {
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    if (size[lane] == 0) continue;
    std::byte* const target = reach_lane(warp, step, to, lane, address[lane], size[lane], Use::update);
    const std::byte* const source =
        reach_lane(warp, step, from, lane, from_address[lane], size[lane], Use::read);
    reduce_elements<T>(target, source, size[lane] / sizeof(T),
                       to == kernel::Space::Global && warp.memory->concurrent, change);
  }
}

}  // namespace wedjat::exec
