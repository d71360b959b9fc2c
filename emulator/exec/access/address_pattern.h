// What the addresses of a warp look like: enough to choose a fast path and to check bounds once.
#pragma once
#include <cstdint>
#include <cstring>
#ifdef __AVX512F__
#include <immintrin.h>
#endif

#include "emulator/exec/access/context.h"

namespace wedjat::exec {

/// Eight 64-bit numbers in one register, where the machine has such.
using Eight = std::uint64_t __attribute__((vector_size(64), aligned(8), may_alias));

namespace detail {

inline constexpr Eight count_up{0, 1, 2, 3, 4, 5, 6, 7};

[[gnu::always_inline]] inline bool any_bit(const Eight& x) {
#ifdef __AVX512F__
  const auto bits = reinterpret_cast<const __m512i&>(x);
  return _mm512_test_epi64_mask(bits, bits) != 0;
#else
  std::uint64_t all = 0;
  for (int i = 0; i < 8; ++i) all |= x[i];
  return all != 0;
#endif
}

}  // namespace detail

/// How the addresses of all 32 lanes lie. Blocks 8 or 16 threads wide make parts of a warp a run or a point
/// of their own.
struct RowShape {
  enum class Kind : std::uint8_t {
    run,     ///< lane l at address[0] + l * bytes
    point,   ///< all at one
    groups,  ///< every eight lanes are a run or a point
    scattered,
  };
  Kind kind = Kind::run;
  std::uint8_t runs = 0;  ///< of `groups`: bit g: lanes from 8 g on are a run

  bool operator==(const RowShape&) const = default;
};

inline constexpr int group_count = 4, group_lanes = lanes / group_count;

/// All 32 addresses are the same.
[[gnu::always_inline]] inline bool addresses_equal(const std::uint64_t* address) {
  const auto* eight = reinterpret_cast<const Eight*>(address);
  const Eight first = Eight{} + address[0];
  const Eight apart = (eight[0] ^ first) | (eight[1] ^ first) | (eight[2] ^ first) | (eight[3] ^ first);
  return !detail::any_bit(apart);
}

/// Lane l has address[0] + l * bytes.
template <unsigned bytes>
[[gnu::always_inline]] inline bool addresses_consecutive(const std::uint64_t* address) {
  const auto* eight = reinterpret_cast<const Eight*>(address);
  const Eight first = detail::count_up * bytes + address[0];
  const Eight apart = (eight[0] ^ first) | (eight[1] ^ (first + 8 * bytes)) |
                      (eight[2] ^ (first + 16 * bytes)) | (eight[3] ^ (first + 24 * bytes));
  return !detail::any_bit(apart);
}

/// Every eight lanes are a run or, where `runs` has no bit, a point.
template <unsigned bytes>
[[gnu::always_inline]] inline bool addresses_grouped(const std::uint64_t* address, unsigned runs) {
  const auto* eight = reinterpret_cast<const Eight*>(address);
  Eight apart{};
  for (int g = 0; g < group_count; ++g) {
    const Eight is_run = Eight{} - (runs >> g & 1u);
    apart |= eight[g] ^ ((is_run & (detail::count_up * bytes)) + address[g * group_lanes]);
  }
  return !detail::any_bit(apart);
}

template <unsigned bytes>
RowShape shape_of(const std::uint64_t* address) {
  using Kind = RowShape::Kind;
  if (addresses_consecutive<bytes>(address)) return {Kind::run};
  if (addresses_equal(address)) return {Kind::point};
  unsigned runs = 0;
  for (int g = 0; g < group_count; ++g)
    runs |= unsigned(address[g * group_lanes + 1] != address[g * group_lanes]) << g;
  if (!addresses_grouped<bytes>(address, runs)) return {Kind::scattered};
  return {Kind::groups, static_cast<std::uint8_t>(runs)};
}

/// True if `known` was not their shape; it is then.
template <unsigned bytes>
[[gnu::noinline]] bool learn_shape(const std::uint64_t* address, RowShape& known) {
  const RowShape shape = shape_of<bytes>(address);
  if (shape == known) return false;
  known = shape;
  return true;
}

/// Whether it is worth asking for the shape: what lanes 0 and 1 tell.
template <unsigned bytes>
[[gnu::always_inline]] inline bool may_have_shape(const std::uint64_t* address) {
  const std::uint64_t apart = address[1] - address[0];
  return apart == 0 || apart == bytes;
}

/// If lane l of a partial mask has begin + l * bytes: begin; else 0.
template <unsigned bytes>
[[gnu::always_inline]] inline std::uint64_t masked_run(std::uint32_t mask, const std::uint64_t* address) {
  if (mask == 0 || mask == all_lanes) return 0;
  const auto lowest = static_cast<std::uint64_t>(__builtin_ctz(mask));
  const std::uint64_t begin = address[lowest] - lowest * bytes;
  std::uint32_t apart = 0;
  for (std::uint64_t lane = 0; lane < lanes; ++lane)
    apart |= static_cast<std::uint32_t>(address[lane] != begin + lane * bytes) << lane;
  return (apart & mask) == 0 ? begin : 0;
}

/// All accesses of `bytes`, a power of two, are aligned and lie in [low, low + size). `count`: a multiple
/// of 8.
[[gnu::always_inline]] inline bool addresses_within(const std::uint64_t* address, std::uint64_t low,
                                                    std::uint64_t size, std::uint64_t bytes,
                                                    std::uint32_t count = lanes) {
  if (size < bytes) return false;
  const auto* eight = reinterpret_cast<const Eight*>(address);
  const Eight least = Eight{} + low, furthest = Eight{} + (size - bytes), odd = Eight{} + (bytes - 1);
  Eight wrong{};
  for (std::uint32_t i = 0; i < count / 8; ++i)
    wrong |= (Eight)(eight[i] - least > furthest) | (eight[i] & odd);
  return !detail::any_bit(wrong);
}

/// Bounds of the addresses of the lanes of a mask that is not 0.
struct AddressRange {
  std::uint64_t low, high;     // least and greatest
  std::uint64_t low_bits = 0;  // all or-ed: zero below the alignment if every lane is aligned
  std::uint64_t first;         // address of the lowest lane

  AddressRange(std::uint32_t mask, const std::uint64_t* address) {
    first = address[__builtin_ctz(mask)];
    low = high = first;
    for (int lane = 0; lane < lanes; ++lane) {
      const std::uint64_t at = (mask >> lane & 1) ? address[lane] : first;
      low = at < low ? at : low;
      high = at > high ? at : high;
      low_bits |= at;
    }
  }
};

}  // namespace wedjat::exec
