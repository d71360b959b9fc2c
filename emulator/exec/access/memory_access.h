// Loads, stores and updates of a whole warp, as generated executors call them.
#pragma once
#include <cstring>

#include "emulator/exec/access/lane_moves.h"

namespace wedjat::exec {

// T: std::uint8_t … std::uint64_t, unsigned __int128. `address` and `value` are arrays of 32 lanes; lanes
// outside `mask` are not touched (reads leave their `value` unspecified but readable). Faults (out of bounds,
// misaligned, freed, wrong space) throw exec::Fault. Fast path: addresses of the shape that the instruction's
// had when it last ran; else a gather after one bounds check.

// Vector accesses: `count` consecutive elements per lane, element e of lane l at value[e][l].
template <class T, kernel::Space space, int count>
void read_vectors(WarpContext& warp, const kernel::Step& step, std::uint32_t mask,
                  const std::uint64_t* address, T* const (&value)[count]) {
  constexpr std::uint64_t bytes = sizeof(T) * count;
  if constexpr (space == kernel::Space::Local) {
    // Each lane has its own piece: nothing lies in a row.
  } else if (mask == all_lanes) [[likely]] {
    RowShape& recent = warp.memory->cache[step.id].shape;
    if (detail::read_shaped<T, space, count>(warp, step, recent, address, value)) [[likely]]
      return;
    if (may_have_shape<bytes>(address)) {
      recent = shape_of<bytes>(address);
      if (detail::read_shaped<T, space, count>(warp, step, recent, address, value)) return;
    }
  } else if (const std::uint64_t begin = masked_run<bytes>(mask, address); begin != 0) {
    // What lies between the lanes of the mask is read too, if it may be.
    if (const std::byte* from = detail::reach_masked<space, bytes, Use::read>(warp, step, begin))
      return detail::take_apart<T, count>(from, value);
  }
  detail::read_scattered<T, space, count>(warp, step, mask, address, value);
}

template <class T, kernel::Space space, int count>
void write_vectors(WarpContext& warp, const kernel::Step& step, std::uint32_t mask,
                   const std::uint64_t* address, const T* const (&value)[count]) {
  constexpr std::uint64_t bytes = sizeof(T) * count;
  if constexpr (space == kernel::Space::Local) {
    // Each lane has its own piece: nothing lies in a row.
  } else if (mask == all_lanes) [[likely]] {
    RowShape& recent = warp.memory->cache[step.id].shape;
    if (detail::write_shaped<T, space, count>(warp, step, recent, address, value)) [[likely]]
      return;
    if (may_have_shape<bytes>(address)) {
      recent = shape_of<bytes>(address);
      if (detail::write_shaped<T, space, count>(warp, step, recent, address, value)) return;
    }
  } else if (const std::uint64_t begin = masked_run<bytes>(mask, address); count == 1 && begin != 0) {
    if (std::byte* to = detail::reach_masked<space, bytes, Use::write>(warp, step, begin))
      return detail::put_masked<T>(to, mask, value[0]);
  }
  detail::write_scattered<T, space, count>(warp, step, mask, address, value);
}

template <class T, kernel::Space space>
void read_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask, const std::uint64_t* address,
                T* value) {
  T* const one[1] = {value};
  read_vectors<T, space, 1>(warp, step, mask, address, one);
}

template <class T, kernel::Space space>
void write_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask,
                 const std::uint64_t* address, const T* value) {
  const T* const one[1] = {value};
  write_vectors<T, space, 1>(warp, step, mask, address, one);
}

// Atomic read-modify-write, lane after lane in ascending order. change(lane, old) gives the new value; old
// values go to `old`. Atomic against all other CTAs on any host thread.
template <class T, kernel::Space space, class Change>
void update_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask,
                  const std::uint64_t* address, T* old, Change change) {
  if (mask == 0) return;
  alignas(64) std::uintptr_t host[lanes];
  detail::reach_lanes<space, Use::update>(warp, step, mask, sizeof(T), address, host);
  const bool alone = space == kernel::Space::Shared || space == kernel::Space::Local ||
                     !warp.memory->concurrent || warp.memory->cache[step.id].own;
  auto each = [&](auto&& update) {
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) update(__builtin_ctz(rest));
  };
  if (addresses_equal(reinterpret_cast<const std::uint64_t*>(
          host))) {  // the lanes' updates, one after the other, are one update
    auto all = [&](T value) {
      each([&](int lane) {
        old[lane] = value;
        value = static_cast<T>(change(lane, value));
      });
      return value;
    };
    if (alone)
      detail::store<T>(host[0], all(detail::load<T>(host[0])));
    else
      update_atomically<T>(host[0], all);
  } else if (alone) {
    each([&](int lane) {
      const T before = detail::load<T>(host[lane]);
      detail::store<T>(host[lane], static_cast<T>(change(lane, before)));
      old[lane] = before;
    });
  } else {
    each([&](int lane) {
      old[lane] =
          update_atomically<T>(host[lane], [&](T before) { return static_cast<T>(change(lane, before)); });
    });
  }
}

}  // namespace wedjat::exec
