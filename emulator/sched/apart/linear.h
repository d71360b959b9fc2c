// Numbers that threads compute from where they are: a constant and multiples of symbols.
#pragma once
#include <array>
#include <cstdint>
#include <span>

namespace wedjat::sched::apart {

/// Sums of products of 64-bit numbers do not wrap around in it.
using Wide = __int128;

struct Range {
  Wide least = 0, most = 0;
  Wide span() const { return most - least; }
  bool within(const Range& outer) const { return outer.least <= least && most <= outer.most; }
  Range plus(const Range& other) const { return {least + other.least, most + other.most}; }
  Range times(std::int64_t factor) const {
    const Wide a = least * factor, b = most * factor;
    return factor < 0 ? Range{b, a} : Range{a, b};
  }
};

/// More often no loop goes round.
inline constexpr Wide endless = Wide{1} << 48;

struct Term {
  std::uint8_t symbol = 0;
  std::int64_t factor = 0;
  bool operator==(const Term&) const = default;
};

/// base + factor * symbol + …
class Linear {
 public:
  static constexpr unsigned most_terms = 8;

  Linear() = default;
  explicit Linear(Wide constant) : base(constant) {}
  static Linear of(std::uint8_t symbol, std::int64_t factor = 1) {
    Linear one;
    one.terms_[one.count_++] = {symbol, factor};
    return one;
  }

  /// By symbol; no factor is 0.
  std::span<const Term> terms() const { return {terms_.data(), count_}; }
  std::int64_t factor_of(std::uint8_t symbol) const;
  bool has_same_terms(const Linear& other) const;
  bool is_constant() const { return count_ == 0; }

  /// Adds so many times the other. False: too many terms, or too large ones, and what it holds is void.
  [[nodiscard]] bool add(const Linear& other, std::int64_t times = 1);
  [[nodiscard]] bool scale(std::int64_t factor);
  void remove(std::uint8_t symbol);
  /// Its multiple of the terms of the other, if it has one; the base counts for nothing. 0: it has none.
  std::int64_t multiple_of(const Linear& other) const;

  Wide base = 0;

 private:
  bool is_small() const;

  std::array<Term, most_terms> terms_{};
  std::uint8_t count_ = 0;
};

}  // namespace wedjat::sched::apart
