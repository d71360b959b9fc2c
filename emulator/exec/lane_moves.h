// How memory_access.h moves bytes between host memory and rows.
#pragma once
#include <cstring>

#include "emulator/exec/address_pattern.h"
#include "emulator/exec/atomic_update.h"
#include "emulator/exec/memory_port.h"

namespace wedjat::exec::detail {

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

// Host address of `count` accesses of `bytes` in a row. Null if that is no simple case: not aligned, not one
// allocation, not the same for all lanes.
template <kernel::Space space, std::uint64_t bytes>
[[gnu::always_inline]] inline std::byte* reach_run(WarpContext& warp, const kernel::Step& step,
                                                   std::uint64_t address, std::uint64_t count) {
  if (address & (bytes - 1)) [[unlikely]]
    return nullptr;
  Reach reach;
  const std::uint64_t last = address + (count - 1) * bytes;
  if (last < address || !reach_range<space>(warp, step, address, last, bytes, reach)) [[unlikely]]
    return nullptr;
  if (never_strided(space) || reach.stride == 0) return reinterpret_cast<std::byte*>(reach.base + address);
  return nullptr;
}

// 32 vectors in a row, to rows.
template <class T, int count>
[[gnu::always_inline]] inline void take_apart(const std::byte* from, T* const (&value)[count]) {
  if constexpr (count == 1) {
    std::memcpy(value[0], from, sizeof(T) * lanes);
  } else {
    T block[lanes * count];
    std::memcpy(block, from, sizeof block);
    for (int e = 0; e < count; ++e)
      for (int lane = 0; lane < lanes; ++lane) value[e][lane] = block[lane * count + e];
  }
}

template <class T, int count>
[[gnu::always_inline]] inline void put_together(std::byte* to, const T* const (&value)[count]) {
  if constexpr (count == 1) {
    std::memcpy(to, value[0], sizeof(T) * lanes);
  } else {
    T block[lanes * count];
    for (int e = 0; e < count; ++e)
      for (int lane = 0; lane < lanes; ++lane) block[lane * count + e] = value[e][lane];
    std::memcpy(to, block, sizeof block);
  }
}

template <class T>
[[gnu::always_inline]] inline void put_masked(std::byte* to, std::uint32_t mask, const T* value) {
  using Unaligned [[gnu::aligned(1), gnu::may_alias]] = T;
  auto* const target = reinterpret_cast<Unaligned*>(to);
  for (int lane = 0; lane < lanes; ++lane)
    if (mask >> lane & 1) target[lane] = value[lane];
}

// One vector, to every lane.
template <class T, int count>
[[gnu::always_inline]] inline void spread(const std::byte* from, T* const (&value)[count]) {
  for (int e = 0; e < count; ++e) {
    const T all = load<T>(reinterpret_cast<std::uintptr_t>(from) + e * sizeof(T));
    for (int lane = 0; lane < lanes; ++lane) value[e][lane] = all;
  }
}

// reach_lanes() for lanes that are not all near: fills the cache, or throws Fault.
template <kernel::Space space>
[[gnu::noinline]] void reach_far(WarpContext& warp, const kernel::Step& step, const Access& access,
                                 std::uintptr_t* host) {
  const AddressRange range(access.mask, access.address);
  if (range.low_bits & (access.bytes - 1)) fail_misaligned(warp, step, space, access);
  Reach reach;
  if (reach_range<space>(warp, step, range.low, range.high, access.bytes, reach)) {
    for (std::uint64_t lane = 0; lane < lanes; ++lane)
      host[lane] = reach.base + access.address[lane] + lane * reach.stride;
  } else {
    reach_each(warp, step, space, access, host);
  }
  const int lowest = __builtin_ctz(access.mask);
  for (int lane = 0; lane < lanes; ++lane)
    if (!(access.mask >> lane & 1)) host[lane] = host[lowest];
}

// The host address of each lane of the mask, which is not 0; lanes outside it get that of the lowest lane.
// Throws Fault.
template <kernel::Space space>
[[gnu::always_inline]] inline void reach_lanes(WarpContext& warp, const kernel::Step& step,
                                               std::uint32_t mask, std::uint32_t bytes,
                                               const std::uint64_t* address, std::uintptr_t* host) {
  const Near near = near_memory<space>(*warp.memory, step);
  const std::uint64_t stride = never_strided(space) ? 0 : near.reach.stride;
  if (mask == all_lanes) [[likely]] {
    if (!addresses_within(address, near.low, near.size, bytes)) [[unlikely]]
      return reach_far<space>(warp, step, {address, mask, bytes}, host);
    for (std::uint64_t lane = 0; lane < lanes; ++lane)
      host[lane] = near.reach.base + address[lane] + lane * stride;
    return;
  }
  const auto lowest = static_cast<std::uint64_t>(__builtin_ctz(mask));
  for (std::uint64_t lane = 0; lane < lanes; ++lane)
    host[lane] = (mask >> lane & 1) ? address[lane] : address[lowest];
  if (!addresses_within(host, near.low, near.size, bytes)) [[unlikely]]
    return reach_far<space>(warp, step, {address, mask, bytes}, host);
  for (std::uint64_t lane = 0; lane < lanes; ++lane)
    host[lane] += near.reach.base + ((mask >> lane & 1) ? lane : lowest) * stride;
}

inline constexpr int group_lanes = 8;

// Every eight lanes reach a run or (if `points`) one element, near by. `host`: of the first lane of each
// group.
template <kernel::Space space, unsigned bytes, bool points>
[[gnu::always_inline]] inline bool reach_groups(WarpContext& warp, const kernel::Step& step,
                                                const std::uint64_t* address, std::uintptr_t (&host)[4],
                                                GroupPattern (&pattern)[4]) {
  for (int g = 0; g < 4; ++g) {
    pattern[g] = group_pattern<bytes>(address + g * group_lanes);
    if (pattern[g] == GroupPattern::other || (!points && pattern[g] == GroupPattern::equal)) return false;
  }
  const Near near = near_memory<space>(*warp.memory, step);
  if (near.reach.stride != 0 || !addresses_within(address, near.low, near.size, bytes)) return false;
  for (int g = 0; g < 4; ++g) host[g] = near.reach.base + address[g * group_lanes];
  return true;
}

template <class T, kernel::Space space>
[[gnu::always_inline]] inline bool read_groups(WarpContext& warp, const kernel::Step& step,
                                               const std::uint64_t* address, T* value) {
  std::uintptr_t from[4];
  GroupPattern pattern[4];
  if (!reach_groups<space, sizeof(T), true>(warp, step, address, from, pattern)) return false;
  for (int g = 0; g < 4; ++g) {
    T* const group = value + g * group_lanes;
    if (pattern[g] == GroupPattern::consecutive) {
      std::memcpy(group, reinterpret_cast<const void*>(from[g]), group_lanes * sizeof(T));
    } else {
      const T all = load<T>(from[g]);
      for (int lane = 0; lane < group_lanes; ++lane) group[lane] = all;
    }
  }
  return true;
}

// Groups that write the same bytes: the highest one wins, as lanes do.
template <class T, kernel::Space space>
[[gnu::always_inline]] inline bool write_groups(WarpContext& warp, const kernel::Step& step,
                                                const std::uint64_t* address, const T* value) {
  std::uintptr_t to[4];
  GroupPattern pattern[4];
  if (!reach_groups<space, sizeof(T), false>(warp, step, address, to, pattern)) return false;
  for (int g = 0; g < 4; ++g)
    std::memcpy(reinterpret_cast<void*>(to[g]), value + g * group_lanes, group_lanes * sizeof(T));
  return true;
}

template <class T, kernel::Space space, int count>
[[gnu::noinline]] void read_scattered(WarpContext& warp, const kernel::Step& step, std::uint32_t mask,
                                      const std::uint64_t* address, T* const (&value)[count]) {
  if (mask == 0) return;
  if (count == 1 && mask == all_lanes && read_groups<T, space>(warp, step, address, value[0])) return;
  alignas(64) std::uintptr_t from[lanes];
  reach_lanes<space>(warp, step, mask, sizeof(T) * count, address, from);
  for (int e = 0; e < count; ++e) {
    // A row may hold both address and value, so all is read before any is written.
    alignas(64) T got[lanes];
    for (int lane = 0; lane < lanes; ++lane) got[lane] = load<T>(from[lane] + e * sizeof(T));
    std::memcpy(value[e], got, sizeof got);
  }
}

// Lanes that write the same bytes: the highest one wins, on any machine.
template <class T, kernel::Space space, int count>
[[gnu::noinline]] void write_scattered(WarpContext& warp, const kernel::Step& step, std::uint32_t mask,
                                       const std::uint64_t* address, const T* const (&value)[count]) {
  if (mask == 0) return;
  if (count == 1 && mask == all_lanes && write_groups<T, space>(warp, step, address, value[0])) return;
  alignas(64) std::uintptr_t to[lanes];
  reach_lanes<space>(warp, step, mask, sizeof(T) * count, address, to);
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    for (int e = 0; e < count; ++e) store<T>(to[lane] + e * sizeof(T), value[e][lane]);
  }
}

}  // namespace wedjat::exec::detail
