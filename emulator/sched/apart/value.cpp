#include "emulator/sched/apart/value.h"

#include <algorithm>

namespace wedjat::sched::apart {

namespace {

// Of wider ranges nothing is said.
constexpr Wide widest = Wide{1} << 65;

Known bounded(const Range& range) {
  if (range.least < -widest || range.most > widest) return anything;
  return in(range);
}

}  // namespace

Value constant(Wide number) { return {Linear(number), 0}; }
Value constant_of(std::uint64_t pattern, unsigned bits) {
  const unsigned unused = 64 - bits;
  return constant(static_cast<std::int64_t>(pattern << unused) >> unused);
}
Value in(const Range& range) { return {Linear(range.least), range.span()}; }

Range Arithmetic::range_of(const Value& value) const {
  return facts_.range_of(value.least, symbols_).plus({0, value.slack});
}

Known Arithmetic::read(const Known& value, Reading reading) const {
  const Range all = reading.range();
  const Known none = reading.bits <= 32 ? Known(in(all)) : anything;
  if (!value) return none;
  const Range range = range_of(*value);
  if (range.within(all)) return value;
  const Wide size = Wide{1} << reading.bits;
  for (const Wide shift : {size, -size})
    if (range.plus({shift, shift}).within(all)) {
      Value moved = *value;
      moved.least.base += shift;
      return moved;
    }
  return none;
}

Known Arithmetic::sum(const Known& a, const Known& b, std::int64_t times) const {
  if (!a || !b) return anything;
  Value result = *a;
  const Wide slack = b->slack * (times < 0 ? -times : times);
  if (!result.least.add(b->least, times)) return bounded(range_of(*a).plus(range_of(*b).times(times)));
  if (times < 0) result.least.base -= slack;
  result.slack += slack;
  return result.slack > widest ? anything : Known(result);
}

Known Arithmetic::product(const Known& a, const Known& b) const {
  if (!a || !b) return anything;
  if (a->is_constant() && !b->is_constant()) return product(b, a);
  constexpr Wide most_factor = Wide{1} << 40;
  if (b->is_constant() && -most_factor < b->least.base && b->least.base < most_factor)
    return sum(constant(0), a, static_cast<std::int64_t>(b->least.base));
  const Range x = range_of(*a), y = range_of(*b);
  constexpr Wide limit = Wide{1} << 60;
  if (x.least < -limit || x.most > limit || y.least < -limit || y.most > limit) return anything;
  const auto [least, most] =
      std::minmax({x.least * y.least, x.least * y.most, x.most * y.least, x.most * y.most});
  return bounded({least, most});
}

bool Arithmetic::has_free_bits(const Value& multiple, const Value& small) const {
  const Range range = range_of(small);
  if (!multiple.is_exact() || range.least < 0) return false;
  Wide power = 1;
  while (power <= range.most) power *= 2;
  return multiple.least.base % power == 0 &&
         std::ranges::all_of(multiple.least.terms(),
                             [&](const Term& term) { return term.factor % power == 0; });
}

Known Arithmetic::shifted_right(const Known& value, unsigned bits) const {
  if (!value) return anything;
  const Wide divisor = Wide{1} << bits;
  const auto terms = value->least.terms();
  const bool exact = value->is_exact() && value->least.base % divisor == 0 &&
                     std::ranges::all_of(terms, [&](const Term& term) { return term.factor % divisor == 0; });
  if (!exact) {
    const Range range = range_of(*value);
    return in({range.least >> bits, range.most >> bits});
  }
  Value result = constant(value->least.base / divisor);
  for (const Term& term : terms)
    if (!result.least.add(Linear::of(term.symbol), static_cast<std::int64_t>(term.factor / divisor)))
      return anything;
  return result;
}

Known Arithmetic::or_else(const Known& a, const Known& b, const Arithmetic& of_b) const {
  if (!a || !b) return anything;
  if (a->least.has_same_terms(b->least)) {
    Value hull = *a;
    hull.least.base = std::min(a->least.base, b->least.base);
    hull.slack = std::max(a->least.base + a->slack, b->least.base + b->slack) - hull.least.base;
    return hull;
  }
  const Range x = range_of(*a), y = of_b.range_of(*b);
  return bounded({std::min(x.least, y.least), std::max(x.most, y.most)});
}

Known Arithmetic::without(const Known& value, std::uint8_t symbol) const {
  if (!value || value->least.factor_of(symbol) == 0) return value;
  Linear part;
  if (!part.add(Linear::of(symbol), value->least.factor_of(symbol))) return anything;
  const Range range = facts_.range_of(part, symbols_);
  Value result = *value;
  result.least.remove(symbol);
  result.least.base += range.least;
  result.slack += range.span();
  return result.slack > widest ? anything : Known(result);
}

}  // namespace wedjat::sched::apart
