#include "emulator/sched/apart/facts.h"

#include <algorithm>
#include <numeric>

namespace wedjat::sched::apart {

namespace {

// Of more facts a place keeps those that came first.
constexpr std::size_t most_facts = 24;

Wide floor_of(Wide a, Wide b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
Wide ceiling_of(Wide a, Wide b) { return -floor_of(-a, b); }

// Its factors have no common divisor, and the first is positive: what says the same looks the same.
Fact normal(Fact fact) {
  std::int64_t divisor = 0;
  for (const Term& term : fact.form.terms()) divisor = std::gcd(divisor, term.factor);
  if (fact.form.terms().front().factor < 0) divisor = -divisor;
  Linear form;
  for (const Term& term : fact.form.terms())
    if (!form.add(Linear::of(term.symbol), term.factor / divisor)) return fact;
  const Range range = divisor < 0 ? Range{fact.range.most, fact.range.least} : fact.range;
  return {form, {ceiling_of(range.least, divisor), floor_of(range.most, divisor)}, fact.hole};
}

Range both(const Range& a, const Range& b) { return {std::max(a.least, b.least), std::min(a.most, b.most)}; }

}  // namespace

Range Facts::range_of(std::uint8_t symbol, const Symbols& symbols) const {
  Range range{0, symbols[symbol].most};
  for (const Fact& fact : all_)
    if (fact.form.has_same_terms(Linear::of(symbol))) range = both(range, fact.range);
  return range;
}

std::vector<Digit> Facts::digits_of(const Linear& sum, const Symbols& symbols) const {
  std::vector<Digit> digits;
  Linear rest = sum;
  for (const Fact& fact : all_) {
    const std::int64_t factor = fact.form.terms().size() > 1 ? rest.multiple_of(fact.form) : 0;
    if (factor == 0) continue;
    Range range{0, 0};
    for (const Term& term : fact.form.terms()) {
      range = range.plus(range_of(term.symbol, symbols).times(term.factor));
      rest.remove(term.symbol);
    }
    digits.push_back({fact.form, factor, both(range, fact.range)});
  }
  for (const Term& term : rest.terms())
    digits.push_back({Linear::of(term.symbol), term.factor, range_of(term.symbol, symbols)});
  return digits;
}

Range Facts::range_of(const Linear& sum, const Symbols& symbols) const {
  Range range{sum.base, sum.base};
  for (const Digit& digit : digits_of(sum, symbols)) range = range.plus(digit.range.times(digit.factor));
  return range;
}

Wide Facts::most_rounds(std::uint8_t symbol, const Symbols& symbols) const {
  Wide most = range_of(symbol, symbols).most;
  for (const Fact& fact : all_) {
    const std::int64_t factor = fact.form.factor_of(symbol);
    if (factor == 0) continue;
    Linear rest = fact.form;
    rest.remove(symbol);
    const Range others = range_of(rest, symbols);
    most = std::min(most, factor > 0 ? floor_of(fact.range.most - others.least, factor)
                                     : floor_of(fact.range.least - others.most, factor));
  }
  return most;
}

void Facts::add(Fact fact, const Symbols& symbols) {
  if (fact.form.is_constant()) return;
  if (fact.hole) {
    const Range range = range_of(fact.form, symbols);
    const Wide hole = fact.range.least;
    if (hole != range.least && hole != range.most) return;
    fact.range = hole == range.least ? Range{hole + 1, range.most} : Range{range.least, hole - 1};
    fact.hole = false;
  }
  insert(normal(fact));
  if (fact.form.terms().size() == 1) return;
  // What it says of each of its symbols, whatever the others are.
  for (const Term& term : fact.form.terms()) {
    Linear rest = fact.form;
    rest.remove(term.symbol);
    const Range others = range_of(rest, symbols), now = range_of(term.symbol, symbols);
    const Range left{fact.range.least - others.most, fact.range.most - others.least};
    const Fact one = normal({Linear::of(term.symbol, term.factor), left});
    if (one.range.least > now.least || one.range.most < now.most) insert({one.form, both(one.range, now)});
  }
}

void Facts::insert(const Fact& fact) {
  for (Fact& known : all_)
    if (known.form.has_same_terms(fact.form)) {
      known.range = both(known.range, fact.range);
      return;
    }
  if (all_.size() == most_facts) return;
  const auto place = std::ranges::find_if(
      all_, [&](const Fact& known) { return known.form.terms().size() < fact.form.terms().size(); });
  all_.insert(place, fact);
}

Facts Facts::or_else(const Facts& other, const Symbols& symbols) const {
  Facts result;
  const auto take = [&](const Facts& from, const Facts& to) {
    for (const Fact& fact : from.all_) {
      const Range there = to.range_of(fact.form, symbols), none = Facts{}.range_of(fact.form, symbols);
      const Range hull{std::min(fact.range.least, there.least), std::max(fact.range.most, there.most)};
      if (hull.least > none.least || hull.most < none.most)
        result.add({fact.form, {std::max(hull.least, none.least), std::min(hull.most, none.most)}}, symbols);
    }
  };
  take(*this, other);
  take(other, *this);
  return result;
}

void Facts::next_round(std::uint8_t symbol) {
  for (Fact& fact : all_) {
    const Wide more = fact.form.factor_of(symbol);
    fact.range = fact.range.plus({more, more});
  }
}

void Facts::forget(std::uint8_t symbol) {
  std::erase_if(all_, [&](const Fact& fact) { return fact.form.factor_of(symbol) != 0; });
}

}  // namespace wedjat::sched::apart
