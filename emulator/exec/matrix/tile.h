// Tiles of memory: many pieces of equal size, each at its address.
#pragma once
#include <algorithm>
#include <cstring>

#include "emulator/exec/lane_moves.h"

namespace wedjat::exec::matrix {

// Calls move(piece, host address) for every piece once all of 32 are known to be reachable. A piece of
// `bytes`, a power of two, is aligned to its size. Throws Fault.
template <kernel::Space space, unsigned bytes, class Move>
[[gnu::always_inline]] inline void each_piece(WarpContext& warp, const kernel::Step& step,
                                              const std::uint64_t* address, std::uint32_t pieces,
                                              const Move& move) {
  for (std::uint32_t first = 0; first < pieces; first += lanes) {
    alignas(64) std::uintptr_t host[lanes];
    const std::uint32_t count = pieces - first < lanes ? pieces - first : lanes;
    alignas(64) std::uint64_t some[lanes];  // reach_lanes looks at all of them
    if (count < lanes) {
      std::fill_n(some, lanes, address[first]);
      std::copy_n(address + first, count, some);
    }
    detail::reach_lanes<space>(warp, step, all_lanes >> (lanes - count), bytes,
                               count < lanes ? some : address + first, host);
    for (std::uint32_t i = 0; i < count; ++i) move(first + i, host[i]);
  }
}

template <kernel::Space space, unsigned bytes>
void read_tile(WarpContext& warp, const kernel::Step& step, const std::uint64_t* address,
               std::uint32_t pieces, void* to) {
  each_piece<space, bytes>(warp, step, address, pieces, [to](std::uint32_t piece, std::uintptr_t host) {
    std::memcpy(static_cast<std::byte*>(to) + piece * bytes, reinterpret_cast<const void*>(host), bytes);
  });
}

// Pieces that meet: the last one wins.
template <kernel::Space space, unsigned bytes>
void write_tile(WarpContext& warp, const kernel::Step& step, const std::uint64_t* address,
                std::uint32_t pieces, const void* from) {
  each_piece<space, bytes>(warp, step, address, pieces, [from](std::uint32_t piece, std::uintptr_t host) {
    std::memcpy(reinterpret_cast<void*>(host), static_cast<const std::byte*>(from) + piece * bytes, bytes);
  });
}

}  // namespace wedjat::exec::matrix
