// Loads, stores and updates of a whole warp, as generated executors call them.
#pragma once
#include <cstring>
#include <type_traits>

#include "emulator/exec/address_pattern.h"
#include "emulator/exec/atomic_update.h"
#include "emulator/exec/memory_port.h"

namespace wedjat::exec {

// T: std::uint8_t … std::uint64_t, unsigned __int128. `address` and `value` are arrays of 32 lanes; lanes outside `mask` are not touched
// (read_lanes leaves their `value` unspecified but readable). Faults (out of bounds, misaligned, freed, wrong space) throw exec::Fault.
// Fast paths: all lanes equal, lanes consecutive; else a gather after one bounds check of the least and greatest address.

namespace detail {

template <class T>
inline T load(std::uintptr_t at) {
  T value;
  std::memcpy(&value, reinterpret_cast<const void*>(at), sizeof(T));
  return value;
}

template <class T>
inline void store(std::uintptr_t at, T value) {
  std::memcpy(reinterpret_cast<void*>(at), &value, sizeof(T));
}

inline bool has(std::uint32_t mask, int lane) { return mask >> lane & 1; }

// Checks alignment, then finds one Reach for the lanes; false: they must go one by one.
template <kernel::Space space>
inline bool prepare(WarpContext& warp, const kernel::Step& step, const Access& access, std::uint64_t low_bits, Reach& reach) {
  if (low_bits & (access.bytes - 1)) [[unlikely]]
    fail_misaligned(warp, step, space, access);
  return reach_all<space>(warp, step, access, reach);
}

template <class T, int count>
[[gnu::noinline]] void read_each(WarpContext& warp, const kernel::Step& step, kernel::Space space, const Access& access,
                                 T* const (&value)[count]) {
  std::byte* host[lanes];
  reach_each(warp, step, space, access, host);
  for (int lane = 0; lane < lanes; ++lane)
    if (has(access.mask, lane))
      for (int e = 0; e < count; ++e) std::memcpy(value[e] + lane, host[lane] + e * sizeof(T), sizeof(T));
}

template <class T, int count>
[[gnu::noinline]] void write_each(WarpContext& warp, const kernel::Step& step, kernel::Space space, const Access& access,
                                  const T* const (&value)[count]) {
  std::byte* host[lanes];
  reach_each(warp, step, space, access, host);
  for (int lane = 0; lane < lanes; ++lane)
    if (has(access.mask, lane))
      for (int e = 0; e < count; ++e) std::memcpy(host[lane] + e * sizeof(T), value[e] + lane, sizeof(T));
}

}  // namespace detail

// As read_lanes/write_lanes, for vector accesses: `count` consecutive elements per lane, element e of lane l at value[e][l].
template <class T, kernel::Space space, int count>
void read_vectors(WarpContext& warp, const kernel::Step& step, std::uint32_t mask, const std::uint64_t* address, T* const (&value)[count]) {
  if (mask == 0) return;
  constexpr unsigned bytes = sizeof(T) * count;
  AddressPattern pattern;
  pattern.scan<bytes>(mask, address);
  const Access access{address, mask, bytes, pattern.low, pattern.high};
  Reach reach;
  if (!detail::prepare<space>(warp, step, access, pattern.low_bits, reach)) [[unlikely]]
    return detail::read_each(warp, step, space, access, value);
  const std::uint64_t stride = space == kernel::Space::Shared || space == kernel::Space::Global ? 0 : reach.stride;
  if (pattern.equal && stride == 0) {
    for (int e = 0; e < count; ++e) {
      const T all = detail::load<T>(reach.base + pattern.low + e * sizeof(T));
      for (int lane = 0; lane < lanes; ++lane) value[e][lane] = all;
    }
    return;
  }
  if (pattern.consecutive && mask == all_lanes && stride == 0) {
    const std::uintptr_t from = reach.base + pattern.low;
    if constexpr (count == 1) {
      std::memcpy(value[0], reinterpret_cast<const void*>(from), sizeof(T) * lanes);
    } else {
      T block[lanes * count];
      std::memcpy(block, reinterpret_cast<const void*>(from), sizeof block);
      for (int e = 0; e < count; ++e)
        for (int lane = 0; lane < lanes; ++lane) value[e][lane] = block[lane * count + e];
    }
    return;
  }
  // Lanes outside the mask read where the first lane of the mask reads.
  alignas(64) std::uintptr_t from[lanes];
  for (int lane = 0; lane < lanes; ++lane)
    from[lane] = reach.base + (detail::has(mask, lane) ? address[lane] + lane * stride : pattern.first + pattern.first_lane * stride);
  for (int e = 0; e < count; ++e) {
    alignas(64) T got[lanes];
    for (int lane = 0; lane < lanes; ++lane) got[lane] = detail::load<T>(from[lane] + e * sizeof(T));
    std::memcpy(value[e], got, sizeof got);
  }
}

template <class T, kernel::Space space, int count>
void write_vectors(WarpContext& warp, const kernel::Step& step, std::uint32_t mask, const std::uint64_t* address,
                   const T* const (&value)[count]) {
  if (mask == 0) return;
  constexpr unsigned bytes = sizeof(T) * count;
  AddressPattern pattern;
  pattern.scan<bytes>(mask, address);
  const Access access{address, mask, bytes, pattern.low, pattern.high};
  Reach reach;
  if (!detail::prepare<space>(warp, step, access, pattern.low_bits, reach)) [[unlikely]]
    return detail::write_each(warp, step, space, access, value);
  const std::uint64_t stride = space == kernel::Space::Shared || space == kernel::Space::Global ? 0 : reach.stride;
  if (pattern.consecutive && mask == all_lanes && stride == 0) {
    const std::uintptr_t to = reach.base + pattern.low;
    if constexpr (count == 1) {
      std::memcpy(reinterpret_cast<void*>(to), value[0], sizeof(T) * lanes);
    } else {
      T block[lanes * count];
      for (int e = 0; e < count; ++e)
        for (int lane = 0; lane < lanes; ++lane) block[lane * count + e] = value[e][lane];
      std::memcpy(reinterpret_cast<void*>(to), block, sizeof block);
    }
    return;
  }
  // Lanes that write the same bytes: the highest one wins, on any machine.
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const std::uintptr_t to = reach.base + address[lane] + lane * stride;
    for (int e = 0; e < count; ++e) detail::store<T>(to + e * sizeof(T), value[e][lane]);
  }
}

template <class T, kernel::Space space>
void read_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask, const std::uint64_t* address, T* value) {
  T* const one[1] = {value};
  read_vectors<T, space, 1>(warp, step, mask, address, one);
}

template <class T, kernel::Space space>
void write_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask, const std::uint64_t* address, const T* value) {
  const T* const one[1] = {value};
  write_vectors<T, space, 1>(warp, step, mask, address, one);
}

// Atomic read-modify-write, lane after lane in ascending order. change(lane, old) gives the new value; old values go to `old`.
// Atomic against all other CTAs on any host thread.
template <class T, kernel::Space space, class Change>
void update_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask, const std::uint64_t* address, T* old, Change change) {
  if (mask == 0) return;
  AddressPattern pattern;
  pattern.scan<sizeof(T)>(mask, address);
  const Access access{address, mask, sizeof(T), pattern.low, pattern.high};
  Reach reach;
  std::byte* host[lanes];
  if (detail::prepare<space>(warp, step, access, pattern.low_bits, reach)) [[likely]] {
    for (int lane = 0; lane < lanes; ++lane)
      host[lane] = reinterpret_cast<std::byte*>(reach.base + address[lane] + lane * reach.stride);
  } else {
    reach_each(warp, step, space, access, host);
  }
  const bool alone = space == kernel::Space::Shared || space == kernel::Space::Local || !warp.memory->concurrent;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    if (alone) {
      T before;
      std::memcpy(&before, host[lane], sizeof(T));
      const T after = change(lane, before);
      std::memcpy(host[lane], &after, sizeof(T));
      old[lane] = before;
    } else {
      old[lane] = update_atomically<T>(host[lane], [&](T before) { return static_cast<T>(change(lane, before)); });
    }
  }
}

}  // namespace wedjat::exec
