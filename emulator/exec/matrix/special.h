// What infinities and NaN make of a sum of products: no magnitude matters then.
#pragma once
#include <cstdint>

#include "emulator/exec/matrix/factor.h"

namespace wedjat::exec::matrix {

/// The infinities and NaN seen so far among the terms of a sum.
struct Specials {
  bool nan = false, positive = false, negative = false;

  bool any() const { return nan || positive || negative; }
  void add(Format format, std::uint32_t term);
  void add_product(Format format_a, std::uint32_t a, Format format_b, std::uint32_t b);
  /// The sum's pattern if any(): NaN is all ones but the sign, whatever made it.
  std::uint32_t result(Format format) const;
};

}  // namespace wedjat::exec::matrix
