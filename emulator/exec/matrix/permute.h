// A register of all lanes and the piece of a matrix it stands for, moved at once.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace wedjat::exec::matrix {

/// to[i] = from[places[i]], of as many 16-bit elements as there are places: 64, all different.
template <int... places>
[[gnu::always_inline]] inline void permute(const void* from, void* to) {
  static_assert(sizeof...(places) == 64);
  using Half = std::uint16_t __attribute__((vector_size(64)));
  using Whole = std::uint16_t __attribute__((vector_size(128)));
  Half low, high;
  std::memcpy(&low, from, sizeof low);
  std::memcpy(&high, static_cast<const std::byte*>(from) + sizeof low, sizeof high);
  const Whole whole = __builtin_shufflevector(low, high, places...);
  std::memcpy(to, &whole, sizeof whole);
}

}  // namespace wedjat::exec::matrix
