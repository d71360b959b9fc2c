// Products of integer matrices.
#pragma once
#include <cstdint>
#include <type_traits>

namespace wedjat::exec::matrix {

/// d = a * b, rows by rows; D holds every sum. `selection`: for each element of a the row of b it meets.
template <class A, class B, class D, class Selection>
[[gnu::always_inline]] inline void multiply_exact(const A* a, const B* b, D* d, std::uint32_t rows,
                                                  std::uint32_t columns, std::uint32_t inner,
                                                  Selection selection) {
  for (std::uint32_t m = 0; m < rows; ++m) {
    D* const sum = d + m * columns;
    for (std::uint32_t n = 0; n < columns; ++n) sum[n] = 0;
    for (std::uint32_t k = 0; k < inner; ++k) {
      const D factor = static_cast<D>(a[m * inner + k]);
      std::uint32_t row = k;
      if constexpr (!std::is_same_v<Selection, std::nullptr_t>) row = selection[m * inner + k];
      const B* const other = b + row * columns;
#pragma clang loop vectorize(assume_safety)
      for (std::uint32_t n = 0; n < columns; ++n) sum[n] += factor * static_cast<D>(other[n]);
    }
  }
}

}  // namespace wedjat::exec::matrix
