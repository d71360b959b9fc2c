// How memory_access.h moves bytes between host memory and rows.
#pragma once
#include <cstring>

#include "emulator/exec/address_pattern.h"
#include "emulator/exec/atomic_update.h"
#include "emulator/exec/memory_port.h"

namespace wedjat::exec::detail {

template <class T>
inline T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

template <class T>
inline void store(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof(T));
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
    const T all = load<T>(from + e * sizeof(T));
    for (int lane = 0; lane < lanes; ++lane) value[e][lane] = all;
  }
}

// The host address of each lane of the mask, which is not 0; lanes outside it get that of the lowest lane.
// Throws Fault.
template <kernel::Space space>
inline void reach_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask, std::uint32_t bytes,
                        const std::uint64_t* address, std::byte** host) {
  const AddressRange range(mask, address);
  const Access access{address, mask, bytes};
  if (range.low_bits & (bytes - 1)) [[unlikely]]
    fail_misaligned(warp, step, space, access);
  Reach reach;
  const int lowest = __builtin_ctz(mask);
  if (reach_range<space>(warp, step, range.low, range.high, bytes, reach)) [[likely]] {
    const std::uint64_t stride = never_strided(space) ? 0 : reach.stride;
    const std::uint64_t fallback = range.first + static_cast<std::uint64_t>(lowest) * stride;
    auto* const at = reinterpret_cast<std::uintptr_t*>(host);
    for (std::uint64_t lane = 0; lane < lanes; ++lane)
      at[lane] = reach.base + ((mask >> lane & 1) ? address[lane] + lane * stride : fallback);
    return;
  }
  reach_each(warp, step, space, access, host);
  for (int lane = 0; lane < lanes; ++lane)
    if (!(mask >> lane & 1)) host[lane] = host[lowest];
}

template <class T, kernel::Space space, int count>
[[gnu::noinline]] void read_scattered(WarpContext& warp, const kernel::Step& step, std::uint32_t mask,
                                      const std::uint64_t* address, T* const (&value)[count]) {
  if (mask == 0) return;
  alignas(64) std::byte* from[lanes];
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
  alignas(64) std::byte* to[lanes];
  reach_lanes<space>(warp, step, mask, sizeof(T) * count, address, to);
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    for (int e = 0; e < count; ++e) store<T>(to[lane] + e * sizeof(T), value[e][lane]);
  }
}

}  // namespace wedjat::exec::detail
