// Loads, stores and updates of a whole warp, as generated executors call them.
#pragma once
#include <cstring>

#include "emulator/exec/access/lane_moves.h"

namespace wedjat::exec {

namespace detail {

template <class T, Nearby near, int count>
[[gnu::noinline]] void read_again(WarpContext& warp, const kernel::Step& step, kernel::Space space,
                                  std::uint32_t mask, const std::uint64_t* address, T* const (&value)[count]);

// What read_vectors() does in a space that is reached so.
template <class T, Nearby near, int count>
[[gnu::noinline]] void read_near(WarpContext& warp, const kernel::Step& step, kernel::Space space,
                                 std::uint32_t mask, const std::uint64_t* address, T* const (&value)[count]) {
  constexpr std::uint64_t bytes = sizeof(T) * count;
  if constexpr (near == Nearby::local) {
    // Each lane has its own piece: nothing lies in a row.
  } else if (mask == all_lanes) [[likely]] {
    RowShape& recent = warp.memory->cache[step.id].shape;
    if (read_shaped<T, near, count>(warp, step, space, recent, address, value)) [[likely]]
      return;
    if (may_have_shape<bytes>(address) && learn_shape<bytes>(address, recent))
      return read_again<T, near, count>(warp, step, space, mask, address, value);
  } else if (const std::uint64_t begin = masked_run<bytes>(mask, address); begin != 0) {
    // What lies between the lanes of the mask is read too, if it may be.
    if (const std::byte* from = reach_masked<near, bytes, Use::read>(warp, step, space, begin))
      return take_apart<T, count>(from, value);
  }
  read_scattered<T, near, count>(warp, step, space, mask, address, value);
}

// Once more, now that the shape is known: a call, so that the way that nearly all take keeps nothing for it.
template <class T, Nearby near, int count>
void read_again(WarpContext& warp, const kernel::Step& step, kernel::Space space, std::uint32_t mask,
                const std::uint64_t* address, T* const (&value)[count]) {
  read_near<T, near, count>(warp, step, space, mask, address, value);
}

template <class T, Nearby near, int count>
[[gnu::noinline]] void write_again(WarpContext& warp, const kernel::Step& step, kernel::Space space,
                                   std::uint32_t mask, const std::uint64_t* address,
                                   const T* const (&value)[count]);

// What write_vectors() does in a space that is reached so.
template <class T, Nearby near, int count>
[[gnu::noinline]] void write_near(WarpContext& warp, const kernel::Step& step, kernel::Space space,
                                  std::uint32_t mask, const std::uint64_t* address,
                                  const T* const (&value)[count]) {
  constexpr std::uint64_t bytes = sizeof(T) * count;
  if constexpr (near == Nearby::local) {
    // Each lane has its own piece: nothing lies in a row.
  } else if (mask == all_lanes) [[likely]] {
    RowShape& recent = warp.memory->cache[step.id].shape;
    if (write_shaped<T, near, count>(warp, step, space, recent, address, value)) [[likely]]
      return;
    if (may_have_shape<bytes>(address) && learn_shape<bytes>(address, recent))
      return write_again<T, near, count>(warp, step, space, mask, address, value);
  } else if (const std::uint64_t begin = masked_run<bytes>(mask, address); count == 1 && begin != 0) {
    if (std::byte* to = reach_masked<near, bytes, Use::write>(warp, step, space, begin))
      return put_masked<T>(to, mask, value[0]);
  }
  write_scattered<T, near, count>(warp, step, space, mask, address, value);
}

// Once more, now that the shape is known: a call, so that the way that nearly all take keeps nothing for it.
template <class T, Nearby near, int count>
void write_again(WarpContext& warp, const kernel::Step& step, kernel::Space space, std::uint32_t mask,
                 const std::uint64_t* address, const T* const (&value)[count]) {
  write_near<T, near, count>(warp, step, space, mask, address, value);
}

// What update_lanes() does in a space that is reached so.
template <class T, Nearby near, class Change>
[[gnu::noinline]] void update_near(WarpContext& warp, const kernel::Step& step, kernel::Space space,
                                   std::uint32_t mask, const std::uint64_t* address, T* old, Change change) {
  if (mask == 0) return;
  alignas(64) std::uintptr_t host[lanes];
  reach_lanes<near, Use::update>(warp, step, space, mask, sizeof(T), address, host);
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
      store<T>(host[0], all(load<T>(host[0])));
    else
      update_atomically<T>(host[0], all);
  } else if (alone) {
    each([&](int lane) {
      const T before = load<T>(host[lane]);
      store<T>(host[lane], static_cast<T>(change(lane, before)));
      old[lane] = before;
    });
  } else {
    each([&](int lane) {
      old[lane] =
          update_atomically<T>(host[lane], [&](T before) { return static_cast<T>(change(lane, before)); });
    });
  }
}

}  // namespace detail

// T: std::uint8_t … std::uint64_t, unsigned __int128. `address` and `value` are arrays of 32 lanes; lanes
// outside `mask` are not touched (reads leave their `value` unspecified but readable). Faults (out of bounds,
// misaligned, freed, wrong space) throw exec::Fault. Fast path: addresses of the shape that the instruction's
// had when it last ran; else a gather after one bounds check.

// Vector accesses: `count` consecutive elements per lane, element e of lane l at value[e][l].
template <class T, kernel::Space space, int count>
void read_vectors(WarpContext& warp, const kernel::Step& step, std::uint32_t mask,
                  const std::uint64_t* address, T* const (&value)[count]) {
  detail::read_near<T, nearby(space), count>(warp, step, space, mask, address, value);
}

template <class T, kernel::Space space, int count>
void write_vectors(WarpContext& warp, const kernel::Step& step, std::uint32_t mask,
                   const std::uint64_t* address, const T* const (&value)[count]) {
  detail::write_near<T, nearby(space), count>(warp, step, space, mask, address, value);
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
  detail::update_near<T, nearby(space)>(warp, step, space, mask, address, old, change);
}

}  // namespace wedjat::exec
