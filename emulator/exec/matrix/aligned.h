// D = C + A * B as tensor cores sum: blocks of products and the addend so far are truncated to a common grid,
// summed exactly and rounded once (semantics/LANGUAGE.md, Matrices).
#pragma once
#include <cstdint>

namespace wedjat::exec::matrix {

enum class Format : std::uint8_t { e4m3, e5m2, f16, bf16, tf32, f32 };

/// Elements are patterns, row after row, in unsigned words of their width.
struct AlignedProduct {
  Format a, b, d;  ///< d: f32 or f16, of c too
  std::uint32_t rows, columns, inner;
  std::uint32_t block;        ///< products summed at once; divides inner
  std::int32_t fraction;      ///< bits of the grid below the greatest exponent
  std::int32_t floor;         ///< least exponent of the grid
  std::uint32_t significant;  ///< bits of an f32 result, which is truncated; f16 is rounded to nearest even
};

/// columns: a multiple of 8; inner at most 128, 2048 elements of a, 16384 of b (semcc keeps to it).
/// `selection`: for each element of A the row of B it meets, or null. d may be c.
void multiply_aligned(const AlignedProduct& shape, const void* a, const void* b, const void* c, void* d,
                      const std::uint8_t* selection, std::uint32_t b_rows);

}  // namespace wedjat::exec::matrix
