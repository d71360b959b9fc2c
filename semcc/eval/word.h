// A value of the judge: an exact integer, bit pattern or truth value of which some bits may be anything.
#pragma once
#include <gmpxx.h>

namespace semcc::eval {

struct Word {
  mpz_class bits;  // exact integer; pattern of a float; truth value 0 or 1
  mpz_class
      unspecified;   // mask over the two's complement pattern: bits that may be anything; -1: all of them
  bool nan = false;  // a float whose payload and sign are unspecified but which surely is a NaN

  bool known() const { return unspecified == 0; }
  bool is_true() const { return bits != 0; }
};

inline Word unknown() { return {0, -1, false}; }
inline Word truth_word(bool value) { return {value ? 1 : 0, 0}; }

}  // namespace semcc::eval
