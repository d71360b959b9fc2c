// How memory_access.h moves bytes between host memory and rows.
#pragma once
#include <algorithm>
#include <cstring>

#include "emulator/exec/access/address_pattern.h"
#include "emulator/exec/access/atomic_update.h"
#include "emulator/exec/access/memory_port.h"

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

// Host address of `count` accesses of `bytes` in a row, which nobody is told of. Null if that is no simple
// case: not aligned, not one allocation, not the same for all lanes.
template <Nearby near, std::uint64_t bytes, Use use>
[[gnu::always_inline]] inline std::byte* reach_untold(WarpContext& warp, const kernel::Step& step,
                                                      kernel::Space space, std::uint64_t address,
                                                      std::uint64_t count) {
  if (address & (bytes - 1)) [[unlikely]]
    return nullptr;
  Reach reach;
  const std::uint64_t last = address + (count - 1) * bytes;
  if (last < address || !reach_range<near>(warp, step, space, address, last, bytes, use, reach)) [[unlikely]]
    return nullptr;
  if (reach.stride == 0) return reinterpret_cast<std::byte*>(reach.base + address);
  return nullptr;
}

// The same, noted if need be.
template <Nearby near, std::uint64_t bytes, Use use>
[[gnu::always_inline]] inline std::byte* reach_run(WarpContext& warp, const kernel::Step& step,
                                                   kernel::Space space, std::uint64_t address,
                                                   std::uint64_t count) {
  std::byte* const host = reach_untold<near, bytes, use>(warp, step, space, address, count);
  if (host != nullptr && is_noted<near>(*warp.memory, step))
    note_range(warp, step, use, address, count * bytes);
  return host;
}

// The same of all lanes, for accesses of some of them. Null where it is noted what is touched: that is less,
// also at the first access, which finds out.
template <Nearby near, std::uint64_t bytes, Use use>
[[gnu::always_inline]] inline std::byte* reach_masked(WarpContext& warp, const kernel::Step& step,
                                                      kernel::Space space, std::uint64_t address) {
  if (is_noted<near>(*warp.memory, step)) return nullptr;
  std::byte* const host = reach_untold<near, bytes, use>(warp, step, space, address, lanes);
  return is_noted<near>(*warp.memory, step) ? nullptr : host;
}

// `many` vectors in a row, to rows.
template <class T, int count, int many = lanes>
[[gnu::always_inline]] inline void take_apart(const std::byte* from, T* const (&value)[count],
                                              int first = 0) {
  if constexpr (count == 1) {
    std::memcpy(value[0] + first, from, sizeof(T) * many);
  } else {
    T block[many * count];
    std::memcpy(block, from, sizeof block);
    for (int e = 0; e < count; ++e)
      for (int lane = 0; lane < many; ++lane) value[e][first + lane] = block[lane * count + e];
  }
}

template <class T, int count, int many = lanes>
[[gnu::always_inline]] inline void put_together(std::byte* to, const T* const (&value)[count],
                                                int first = 0) {
  if constexpr (count == 1) {
    std::memcpy(to, value[0] + first, sizeof(T) * many);
  } else {
    T block[many * count];
    for (int e = 0; e < count; ++e)
      for (int lane = 0; lane < many; ++lane) block[lane * count + e] = value[e][first + lane];
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

// One vector, to `many` lanes.
template <class T, int count, int many = lanes>
[[gnu::always_inline]] inline void spread(const std::byte* from, T* const (&value)[count], int first = 0) {
  for (int e = 0; e < count; ++e) {
    const T all = load<T>(reinterpret_cast<std::uintptr_t>(from) + e * sizeof(T));
    for (int lane = 0; lane < many; ++lane) value[e][first + lane] = all;
  }
}

// reach_lanes() for lanes that are not all near: fills the cache, or throws Fault.
template <Nearby near, Use use>
[[gnu::noinline]] void reach_far(WarpContext& warp, const kernel::Step& step, kernel::Space space,
                                 const Access& access, std::uintptr_t* host) {
  const AddressRange range(access.mask, access.address);
  if (range.low_bits & (access.bytes - 1)) fail_misaligned(warp, step, space, access);
  Reach reach;
  if (reach_range<near>(warp, step, space, range.low, range.high, access.bytes, use, reach)) {
    for (std::uint64_t lane = 0; lane < lanes; ++lane)
      host[lane] = reach.base + access.address[lane] + lane * reach.stride;
    if (is_noted<near>(*warp.memory, step)) note_lanes(warp, step, use, access);
  } else {
    reach_each(warp, step, space, access, use, host);
  }
  const int lowest = __builtin_ctz(access.mask);
  for (int lane = 0; lane < lanes; ++lane)
    if (!(access.mask >> lane & 1)) host[lane] = host[lowest];
}

// The host address of each lane of the mask, which is not 0; lanes outside it get that of the lowest lane.
// Throws Fault.
template <Nearby near, Use use>
[[gnu::always_inline]] inline void reach_lanes(WarpContext& warp, const kernel::Step& step,
                                               kernel::Space space, std::uint32_t mask, std::uint32_t bytes,
                                               const std::uint64_t* address, std::uintptr_t* host) {
  const Near memory = near_memory<near>(*warp.memory, step);
  const std::uint64_t stride = memory.reach.stride;
  if (mask == all_lanes) [[likely]] {
    if (!addresses_within(address, memory.low, memory.size, bytes)) [[unlikely]]
      return reach_far<near, use>(warp, step, space, {address, mask, bytes}, host);
    for (std::uint64_t lane = 0; lane < lanes; ++lane)
      host[lane] = memory.reach.base + address[lane] + lane * stride;
    if (is_noted<near>(*warp.memory, step)) note_lanes(warp, step, use, {address, mask, bytes});
    return;
  }
  const auto lowest = static_cast<std::uint64_t>(__builtin_ctz(mask));
  for (std::uint64_t lane = 0; lane < lanes; ++lane)
    host[lane] = (mask >> lane & 1) ? address[lane] : address[lowest];
  if (!addresses_within(host, memory.low, memory.size, bytes)) [[unlikely]]
    return reach_far<near, use>(warp, step, space, {address, mask, bytes}, host);
  for (std::uint64_t lane = 0; lane < lanes; ++lane)
    host[lane] += memory.reach.base + ((mask >> lane & 1) ? lane : lowest) * stride;
  if (is_noted<near>(*warp.memory, step)) note_lanes(warp, step, use, {address, mask, bytes});
}

// Every eight lanes reach a run or a point, near by. `host`: of the first lane of each group.
template <Nearby near, unsigned bytes, Use use>
[[gnu::always_inline]] inline bool reach_groups(WarpContext& warp, const kernel::Step& step, unsigned runs,
                                                const std::uint64_t* address,
                                                std::byte* (&host)[group_count]) {
  const Near memory = near_memory<near>(*warp.memory, step);
  if (!addresses_grouped<bytes>(address, runs) || memory.reach.stride != 0 ||
      !addresses_within(address, memory.low, memory.size, bytes)) [[unlikely]]
    return false;
  if (is_noted<near>(*warp.memory, step)) note_lanes(warp, step, use, {address, all_lanes, bytes});
  for (int g = 0; g < group_count; ++g)
    host[g] = reinterpret_cast<std::byte*>(memory.reach.base + address[g * group_lanes]);
  return true;
}

// Reads of all lanes, if their addresses have this shape and are near.
template <class T, Nearby near, int count>
[[gnu::always_inline]] inline bool read_shaped(WarpContext& warp, const kernel::Step& step,
                                               kernel::Space space, RowShape shape,
                                               const std::uint64_t* address, T* const (&value)[count]) {
  constexpr unsigned bytes = sizeof(T) * count;
  switch (shape.kind) {
    case RowShape::Kind::run: {
      if (!addresses_consecutive<bytes>(address)) return false;
      const std::byte* const from = reach_run<near, bytes, Use::read>(warp, step, space, address[0], lanes);
      if (from == nullptr) return false;
      take_apart<T, count>(from, value);
      return true;
    }
    case RowShape::Kind::point: {
      if (!addresses_equal(address)) return false;
      const std::byte* const from = reach_run<near, bytes, Use::read>(warp, step, space, address[0], 1);
      if (from == nullptr) return false;
      spread<T, count>(from, value);
      return true;
    }
    case RowShape::Kind::groups: {
      std::byte* from[group_count];
      if (!reach_groups<near, bytes, Use::read>(warp, step, shape.runs, address, from)) return false;
      for (int g = 0; g < group_count; ++g) {
        if (shape.runs >> g & 1)
          take_apart<T, count, group_lanes>(from[g], value, g * group_lanes);
        else
          spread<T, count, group_lanes>(from[g], value, g * group_lanes);
      }
      return true;
    }
    case RowShape::Kind::scattered:
      break;
  }
  return false;
}

// Lanes that write the same bytes (measured on an H200, global and shared memory): a warp's accesses go 128
// bytes at a time, in ascending order, and of the lanes that go together the lowest one wins. How many those
// are:
template <unsigned bytes>
inline constexpr int together = bytes <= 4 ? lanes : 128 / bytes;

template <class T, Nearby near, int count>
[[gnu::always_inline]] inline bool write_shaped(WarpContext& warp, const kernel::Step& step,
                                                kernel::Space space, RowShape shape,
                                                const std::uint64_t* address,
                                                const T* const (&value)[count]) {
  constexpr unsigned bytes = sizeof(T) * count;
  switch (shape.kind) {
    case RowShape::Kind::run: {
      if (!addresses_consecutive<bytes>(address)) return false;
      std::byte* const to = reach_run<near, bytes, Use::write>(warp, step, space, address[0], lanes);
      if (to == nullptr) return false;
      put_together<T, count>(to, value);
      return true;
    }
    case RowShape::Kind::point: {
      if (!addresses_equal(address)) return false;
      std::byte* const to = reach_run<near, bytes, Use::write>(warp, step, space, address[0], 1);
      if (to == nullptr) return false;
      put_together<T, count, 1>(to, value, lanes - together<bytes>);
      return true;
    }
    case RowShape::Kind::groups: {
      std::byte* to[group_count];
      if (!reach_groups<near, bytes, Use::write>(warp, step, shape.runs, address, to)) return false;
      constexpr int at_once = std::max(together<bytes> / group_lanes, 1);
      for (int i = 0; i < group_count; ++i) {
        const int g = i ^ (at_once - 1);
        if (shape.runs >> g & 1)
          put_together<T, count, group_lanes>(to[g], value, g * group_lanes);
        else
          put_together<T, count, 1>(to[g], value,
                                    (g + 1) * group_lanes - std::min(together<bytes>, group_lanes));
      }
      return true;
    }
    case RowShape::Kind::scattered:
      break;
  }
  return false;
}

// One access of each lane, as it comes.
template <class T>
[[gnu::always_inline]] inline void gather(const std::uintptr_t* from, std::size_t offset, T* got) {
#ifdef __AVX512F__
  if constexpr (sizeof(T) == 4 || sizeof(T) == 8) {
    for (int g = 0; g < group_count; ++g) {
      const __m512i at = _mm512_load_si512(from + g * group_lanes);
      if constexpr (sizeof(T) == 4)
        _mm256_store_si256(reinterpret_cast<__m256i*>(got + g * group_lanes),
                           _mm512_i64gather_epi32(at, reinterpret_cast<const void*>(offset), 1));
      else
        _mm512_store_si512(got + g * group_lanes,
                           _mm512_i64gather_epi64(at, reinterpret_cast<const void*>(offset), 1));
    }
    return;
  }
#endif
  for (int lane = 0; lane < lanes; ++lane) got[lane] = load<T>(from[lane] + offset);
}

template <class T, Nearby near, int count>
[[gnu::noinline]] void read_scattered(WarpContext& warp, const kernel::Step& step, kernel::Space space,
                                      std::uint32_t mask, const std::uint64_t* address,
                                      T* const (&value)[count]) {
  if (mask == 0) return;
  alignas(64) std::uintptr_t from[lanes];
  reach_lanes<near, Use::read>(warp, step, space, mask, sizeof(T) * count, address, from);
  for (int e = 0; e < count; ++e) {
    // A row may hold both address and value, so all is read before any is written.
    alignas(64) T got[lanes];
    gather<T>(from, e * sizeof(T), got);
    std::memcpy(value[e], got, sizeof got);
  }
}

template <class T, Nearby near, int count>
[[gnu::noinline]] void write_scattered(WarpContext& warp, const kernel::Step& step, kernel::Space space,
                                       std::uint32_t mask, const std::uint64_t* address,
                                       const T* const (&value)[count]) {
  if (mask == 0) return;
  alignas(64) std::uintptr_t to[lanes];
  reach_lanes<near, Use::write>(warp, step, space, mask, sizeof(T) * count, address, to);
  for (int i = 0; i < lanes; ++i) {
    const int lane = i ^ (together<sizeof(T) * count> - 1);
    if ((mask >> lane & 1) == 0) continue;
    for (int e = 0; e < count; ++e) store<T>(to[lane] + e * sizeof(T), value[e][lane]);
  }
}

}  // namespace wedjat::exec::detail
