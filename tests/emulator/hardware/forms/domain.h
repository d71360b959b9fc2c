// What values an operand is tried with: its corner values, random ones, and ones close to another operand.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/emulator/hardware/forms/random.h"

namespace wedjat::hardware_truth {

// An IEEE-like interchange format: sign, exponent, mantissa from the top.
struct FloatFormat {
  unsigned exponent_bits, mantissa_bits;
  unsigned bits() const { return 1 + exponent_bits + mantissa_bits; }
};

struct Domain {
  enum class Kind : std::uint8_t {
    integer,
    nonzero,  // a divisor: PTX leaves division by zero open
    floating,
    byte_pair,  // two 8-bit floats: every byte occurs
    count,      // a shift amount, a bit position, a length
    lane,       // 0..31
    predicate,
  };
  Kind kind = Kind::integer;
  unsigned bits = 32;         // of the whole operand
  FloatFormat format{8, 23};  // Kind::floating
  bool pair = false;          // two independent values of bits / 2

  // In a fixed order. The first 16 (or all, if there are fewer) are those worth trying with each other.
  std::vector<std::uint64_t> corners() const;
  // A value of random shape: all bits random, or a random exponent or magnitude.
  std::uint64_t random(Random& random) const;
  // A value a few units, a sign or a few binary orders away from `other`, a value of this domain.
  std::uint64_t near(std::uint64_t other, Random& random) const;
  // A number whose product or quotient with `other`, or which itself, is about the least normal number or the
  // greatest.
  std::uint64_t at_the_ends(std::uint64_t other, Random& random) const;
};

}  // namespace wedjat::hardware_truth
