// Loads, stores and updates of a whole warp, as generated executors call them.
#pragma once
#include "emulator/exec/context.h"

namespace wedjat::exec {

// T: std::uint8_t … std::uint64_t, unsigned __int128. `address` and `value` are arrays of 32 lanes; lanes outside `mask` are not touched
// (read_lanes leaves their `value` unspecified but readable). Faults (out of bounds, misaligned, freed, wrong space) throw exec::Fault.
// Fast paths: all lanes equal, lanes consecutive; else a gather after one bounds check of the least and greatest address.
template <class T, kernel::Space space>
void read_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask, const std::uint64_t* address, T* value);
template <class T, kernel::Space space>
void write_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask, const std::uint64_t* address, const T* value);

// Atomic read-modify-write, lane after lane in ascending order. change(lane, old) gives the new value; old values go to `old`.
// Atomic against all other CTAs on any host thread.
template <class T, kernel::Space space, class Change>
void update_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask, const std::uint64_t* address, T* old, Change change);

// As read/write, for vector accesses: `count` consecutive elements per lane, element e of lane l at value[e][l].
template <class T, kernel::Space space, int count>
void read_vectors(WarpContext& warp, const kernel::Step& step, std::uint32_t mask, const std::uint64_t* address, T* const (&value)[count]);
template <class T, kernel::Space space, int count>
void write_vectors(WarpContext& warp, const kernel::Step& step, std::uint32_t mask, const std::uint64_t* address, const T* const (&value)[count]);

}  // namespace wedjat::exec
