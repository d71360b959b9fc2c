// Float patterns that find errors: corners, neighbours of corners, and random ones with all exponents equally
// likely.
#pragma once
#include <random>

#include "emulator/exec/numeric/format.h"

namespace wedjat::exec::numeric::test {

template <class F>
typename F::Bits any_pattern(std::mt19937_64& random) {
  using Bits = typename F::Bits;
  static constexpr Bits corners[] = {
      0, 1, F::fraction, Bits(F::fraction + 1), F::one, Bits(F::infinity - 1), F::infinity};
  const u64 r = random();
  const Bits sign = (r & 1) != 0 ? F::sign : Bits(0);
  switch (r >> 1 & 7) {
    case 0:
      return Bits(sign | corners[(r >> 8) % 7]);
    case 1:
      return Bits(sign | Bits(F::one + (r >> 8) % 5 - 2));
    // Few significant bits: exact results and ties.
    case 2:
      return Bits(sign | (Bits(random()) & F::infinity) |
                  Bits(F::fraction & (Bits(r >> 8 & 15) << (F::fraction_bits - 4))));
    case 3:
      return Bits(sign | (Bits(F::one + ((Bits(r >> 8) & 7) << F::fraction_bits))) |
                  (Bits(random()) & F::fraction));
    default:
      return Bits(random());
  }
}

}  // namespace wedjat::exec::numeric::test
