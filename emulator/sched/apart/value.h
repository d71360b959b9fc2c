// What is known of an integer in a register before a launch runs, and what operations make of it.
#pragma once
#include <cstdint>
#include <optional>

#include "emulator/sched/apart/facts.h"

namespace wedjat::sched::apart {

/// `least` plus something in [0, slack]. The register holds this number modulo 2 to the power of its bits.
struct Value {
  Linear least;
  Wide slack = 0;

  bool is_exact() const { return slack == 0; }
  bool is_constant() const { return slack == 0 && least.is_constant(); }
  bool operator==(const Value& other) const {
    return slack == other.slack && least.base == other.least.base && least.has_same_terms(other.least);
  }
};

/// Nothing is known.
inline constexpr std::nullopt_t anything = std::nullopt;
using Known = std::optional<Value>;

Value constant(Wide number);
/// Of a register's bits, as a signed number: what programs add is often negative.
Value constant_of(std::uint64_t pattern, unsigned bits);
Value in(const Range& range);

/// How a number of so many bits is taken.
struct Reading {
  unsigned bits = 32;
  bool is_signed = false;
  Range range() const {
    const Wide size = Wide{1} << bits;
    return is_signed ? Range{-(size / 2), size / 2 - 1} : Range{0, size - 1};
  }
};

/// Arithmetic at a place where the facts hold.
class Arithmetic {
 public:
  Arithmetic(const Facts& facts, const Symbols& symbols) : facts_(facts), symbols_(symbols) {}

  Range range_of(const Value& value) const;
  /// The number that the register stands for, if it is read so. `exact`: it is the sum itself, not a range.
  Known read(const Known& value, Reading reading) const;
  Known sum(const Known& a, const Known& b, std::int64_t times = 1) const;
  /// One of them must be a constant, or the result is a range.
  Known product(const Known& a, const Known& b) const;
  /// By so many bits, rounded down.
  Known shifted_right(const Known& value, unsigned bits) const;
  /// Whether the first is a multiple of a power of 2 that the second is below.
  bool has_free_bits(const Value& multiple, const Value& small) const;
  Known or_else(const Known& a, const Known& b, const Arithmetic& of_b) const;
  Known without(const Known& value, std::uint8_t symbol) const;

 private:
  const Facts& facts_;
  const Symbols& symbols_;
};

}  // namespace wedjat::sched::apart
