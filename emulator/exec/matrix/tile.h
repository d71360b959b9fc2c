// Tiles of memory: many pieces of equal size, each at its address.
#pragma once
#include <algorithm>
#include <cstring>

#include "emulator/exec/access/lane_moves.h"

namespace wedjat::exec::matrix {

namespace detail {

// each_piece() for pieces that are not all near.
template <Nearby near, unsigned bytes, Use use, class Move>
[[gnu::noinline]] void each_far_piece(WarpContext& warp, const kernel::Step& step, kernel::Space space,
                                      const std::uint64_t* address, std::uint32_t pieces, const Move& move) {
  for (std::uint32_t first = 0; first < pieces; first += lanes) {
    alignas(64) std::uintptr_t host[lanes];
    const std::uint32_t count = pieces - first < lanes ? pieces - first : lanes;
    alignas(64) std::uint64_t some[lanes];  // reach_lanes looks at all of them
    if (count < lanes) {
      std::fill_n(some, lanes, address[first]);
      std::copy_n(address + first, count, some);
    }
    exec::detail::reach_lanes<near, use>(warp, step, space, all_lanes >> (lanes - count), bytes,
                                         count < lanes ? some : address + first, host);
    move(first, first + count, [&](std::uint32_t piece) { return host[piece - first]; });
  }
}

// Calls move(begin, end, host address of a piece) for pieces that are known to be reachable: all at once if
// they are near, else 32 by 32. A piece of `bytes`, a power of two, is aligned to its size. Throws Fault.
template <Nearby near, unsigned bytes, Use use, class Move>
[[gnu::always_inline]] inline void each_piece(WarpContext& warp, const kernel::Step& step,
                                              kernel::Space space, const std::uint64_t* address,
                                              std::uint32_t pieces, const Move& move) {
  const Near memory = near_memory<near>(*warp.memory, step);
  if (pieces % 8 != 0 || memory.reach.stride != 0 || is_noted<near>(*warp.memory, step) ||
      !addresses_within(address, memory.low, memory.size, bytes, pieces)) [[unlikely]]
    return each_far_piece<near, bytes, use>(warp, step, space, address, pieces, move);
  move(0, pieces, [&](std::uint32_t piece) { return memory.reach.base + address[piece]; });
}

// Four pieces of 16 bytes as one vector: stored whole, they can be loaded whole at once.
template <class Host>
[[gnu::always_inline]] inline void join_four(std::byte* to, std::uint32_t first, const Host& host) {
  using Piece = std::uint64_t __attribute__((vector_size(16)));
  const auto piece = [&](std::uint32_t i) { return exec::detail::load<Piece>(host(first + i)); };
  const auto low = __builtin_shufflevector(piece(0), piece(1), 0, 1, 2, 3),
             high = __builtin_shufflevector(piece(2), piece(3), 0, 1, 2, 3);
  const auto all = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
  std::memcpy(to, &all, sizeof all);
}

}  // namespace detail

template <kernel::Space space, unsigned bytes>
void read_tile(WarpContext& warp, const kernel::Step& step, const std::uint64_t* address,
               std::uint32_t pieces, void* to) {
  const auto move = [to](std::uint32_t piece, std::uint32_t end, const auto& host) {
    auto* const tile = static_cast<std::byte*>(to);
    if constexpr (bytes == 16)
      for (; piece + 4 <= end; piece += 4) detail::join_four(tile + piece * bytes, piece, host);
    for (; piece < end; ++piece)
      std::memcpy(tile + piece * bytes, reinterpret_cast<const void*>(host(piece)), bytes);
  };
  detail::each_piece<nearby(space), bytes, Use::read>(warp, step, space, address, pieces, move);
}

// Pieces that meet: the last one wins.
template <kernel::Space space, unsigned bytes>
void write_tile(WarpContext& warp, const kernel::Step& step, const std::uint64_t* address,
                std::uint32_t pieces, const void* from) {
  const auto move = [from](std::uint32_t piece, std::uint32_t end, const auto& host) {
    for (; piece < end; ++piece)
      std::memcpy(reinterpret_cast<void*>(host(piece)), static_cast<const std::byte*>(from) + piece * bytes,
                  bytes);
  };
  detail::each_piece<nearby(space), bytes, Use::write>(warp, step, space, address, pieces, move);
}

}  // namespace wedjat::exec::matrix
