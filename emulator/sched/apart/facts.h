// What holds of symbols where a thread is: conditions it passed on its way.
#pragma once
#include <cstdint>
#include <vector>

#include "emulator/sched/apart/linear.h"

namespace wedjat::sched::apart {

struct Symbol {
  enum class Kind : std::uint8_t {
    cta,     ///< the CTA's index along an axis
    thread,  ///< the thread's
    round,   ///< how often the thread went back to the head of a loop
  };
  Kind kind = Kind::cta;
  Wide most = 0;  ///< it is one of 0 … most
};
using Symbols = std::vector<Symbol>;

/// `form` lies in `range`; a hole: it is not range.least. The form's base is 0.
struct Fact {
  Linear form;
  Range range;
  bool hole = false;
};

/// A part of a sum whose value is known to lie in a range.
struct Digit {
  Linear form;
  std::int64_t factor = 0;  ///< of it in the sum
  Range range;              ///< of the form
};

class Facts {
 public:
  /// Each of a sum's terms is in one digit.
  std::vector<Digit> digits_of(const Linear& sum, const Symbols& symbols) const;
  Range range_of(const Linear& sum, const Symbols& symbols) const;
  /// So often at most the symbol's loop went round, by one fact at a time.
  Wide most_rounds(std::uint8_t symbol, const Symbols& symbols) const;

  void add(Fact fact, const Symbols& symbols);
  /// What holds in both places.
  Facts or_else(const Facts& other, const Symbols& symbols) const;
  void forget(std::uint8_t symbol);
  /// The symbol is now what was it and 1.
  void next_round(std::uint8_t symbol);
  const std::vector<Fact>& all() const { return all_; }
  void remove(std::size_t index) { all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(index)); }

 private:
  void insert(const Fact& fact);
  Range range_of(std::uint8_t symbol, const Symbols& symbols) const;

  std::vector<Fact> all_;  // no holes; those of more terms first
};

}  // namespace wedjat::sched::apart
