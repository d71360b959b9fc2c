#include "emulator/sched/apart/touched.h"

#include <algorithm>

namespace wedjat::sched::apart {

namespace {

bool is_of_cta(const Symbols& symbols, std::uint8_t symbol) {
  return symbols[symbol].kind == Symbol::Kind::cta;
}

Wide size_of(std::int64_t factor) { return factor < 0 ? -Wide{factor} : Wide{factor}; }

// A sum's digit, or a digit's term: as in a number that is written down, larger ones cannot make up for
// smaller ones if each is larger than all before it together can be.
struct Place {
  Wide factor = 0, span = 0;
  bool of_cta = false;
  std::size_t index = 0;
};

// Whether the sum, to within so much, says what each place holds; `all`, or that has to do with the CTA.
bool tells(std::vector<Place>& places, Wide within, bool all) {
  std::ranges::sort(places, {}, &Place::factor);
  Wide before = within;
  bool found = all;
  for (const Place& place : places) {
    found |= place.of_cta && place.span > 0;
    if (found && place.span > 0 && place.factor <= before) return false;
    before += place.factor * place.span;
  }
  return true;
}

bool has_cta(const Linear& form, const Symbols& symbols) {
  return std::ranges::any_of(form.terms(), [&](const Term& t) { return is_of_cta(symbols, t.symbol); });
}

bool tells_cta(const Linear& form, const Symbols& symbols) {
  std::vector<Place> places;
  for (const Term& term : form.terms())
    places.push_back({size_of(term.factor), symbols[term.symbol].most, is_of_cta(symbols, term.symbol)});
  return tells(places, 0, false);
}

// Of both: what is the same digit; the rest of each is a range.
struct Common {
  std::vector<Digit> digits;
  Range rest_a, rest_b;
};

Common common_of(const Touched& a, const Touched& b) {
  Common result{{}, {a.base, a.base}, {b.base, b.base}};
  std::vector<Digit> left = b.digits;
  for (const Digit& digit : a.digits) {
    const auto same = std::ranges::find_if(left, [&](const Digit& other) {
      return other.factor == digit.factor && other.form.has_same_terms(digit.form);
    });
    if (same == left.end()) {
      result.rest_a = result.rest_a.plus(digit.range.times(digit.factor));
      continue;
    }
    result.digits.push_back(
        {digit.form,
         digit.factor,
         {std::min(digit.range.least, same->range.least), std::max(digit.range.most, same->range.most)}});
    left.erase(same);
  }
  for (const Digit& digit : left) result.rest_b = result.rest_b.plus(digit.range.times(digit.factor));
  return result;
}

}  // namespace

Range Touched::all() const {
  Range range{base, base + bytes};
  for (const Digit& digit : digits) range = range.plus(digit.range.times(digit.factor));
  return range;
}

bool are_apart(const Touched& a, const Touched& b, const Symbols& symbols) {
  const Range all_a = a.all(), all_b = b.all();
  if (all_a.most <= all_b.least || all_b.most <= all_a.least) return true;
  const Common common = common_of(a, b);
  // So the sums of the same digits differ where bytes are the same.
  const Range differ{common.rest_b.least - common.rest_a.most - a.bytes + 1,
                     common.rest_b.most + b.bytes - common.rest_a.least - 1};
  const Wide within = std::max(-differ.least, differ.most);
  std::vector<Place> places;
  for (const Digit& digit : common.digits)
    places.push_back(
        {size_of(digit.factor), std::max(Wide{0}, digit.range.span()), has_cta(digit.form, symbols)});
  const bool may_be_equal = differ.least <= 0 && 0 <= differ.most;
  if (!may_be_equal && tells(places, within, true)) return true;
  if (!tells(places, within, false)) return false;
  for (std::size_t index = 0; index < symbols.size(); ++index) {
    const auto s = static_cast<std::uint8_t>(index);
    if (!is_of_cta(symbols, s) || symbols[s].most == 0) continue;
    const bool told = std::ranges::any_of(common.digits, [&](const Digit& digit) {
      const bool is_fixed = digit.range.span() == 0 && digit.form.terms().size() == 1;
      return digit.form.factor_of(s) != 0 && (is_fixed || tells_cta(digit.form, symbols));
    });
    if (!told) return false;
  }
  return true;
}

}  // namespace wedjat::sched::apart
