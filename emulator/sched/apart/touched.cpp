#include "emulator/sched/apart/touched.h"

#include <algorithm>

namespace wedjat::sched::apart {

namespace {

bool is_of_cta(const Symbols& symbols, std::uint8_t symbol) {
  return symbols[symbol].kind == Symbol::Kind::cta;
}

Wide size_of(Wide number) { return number < 0 ? -number : number; }

// A sum's digit, or a digit's term: as in a number that is written down, larger ones cannot make up for
// smaller ones if each is larger than all before it together can be.
struct Place {
  Wide factor = 0, span = 0;
  bool of_cta = false;
  Wide wanted = 0;    // what it would have to hold
  bool told = false;  // the sum says what it holds
};

// Whether the sum, to within so much, says what each place holds; `all`, or that has to do with the CTA, and
// those that are larger.
bool tells(std::vector<Place>& places, Wide within, bool all) {
  std::ranges::sort(places, {}, &Place::factor);
  Wide before = within;
  bool found = all;
  for (Place& place : places) {
    found |= place.of_cta && place.span > 0;
    place.told = found && place.span > 0;
    if (place.told && place.factor <= before) return false;
    before += place.factor * (place.span + size_of(place.wanted));
  }
  return true;
}

// What each place would have to hold for the sum to be about `differ`, of which that is taken away.
void write_down(std::vector<Place>& places, Range& differ) {
  std::ranges::sort(places, std::ranges::greater{}, &Place::factor);
  for (Place& place : places) {
    if (place.factor == 0 || place.span == 0) continue;
    const Wide middle = differ.least + (differ.most - differ.least) / 2;
    place.wanted = (middle + (middle < 0 ? -place.factor : place.factor) / 2) / place.factor;
    differ = {differ.least - place.wanted * place.factor, differ.most - place.wanted * place.factor};
  }
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

Wide Touched::most() const {
  Wide places = 1;
  for (const Digit& digit : digits)
    places = std::min(endless, places * (1 + std::min(endless, digit.range.span())));
  return places * std::min(endless, bytes);
}

bool are_apart(const Touched& a, const Touched& b, const Symbols& symbols) {
  const Range all_a = a.all(), all_b = b.all();
  if (all_a.most <= all_b.least || all_b.most <= all_a.least) return true;
  const Common common = common_of(a, b);
  // So the sums of the same digits differ where bytes are the same.
  Range differ{common.rest_b.least - common.rest_a.most - a.bytes + 1,
               common.rest_b.most + b.bytes - common.rest_a.least - 1};
  std::vector<Place> places;
  for (const Digit& digit : common.digits)
    places.push_back(
        {size_of(digit.factor), std::max(Wide{0}, digit.range.span()), has_cta(digit.form, symbols)});
  write_down(places, differ);
  const Wide within = std::max(-differ.least, differ.most);
  const bool may_be_equal = differ.least <= 0 && 0 <= differ.most;
  const auto cannot = [](const Place& place) { return place.told && size_of(place.wanted) > place.span; };
  if (tells(places, within, true) && (!may_be_equal || std::ranges::any_of(places, cannot))) return true;
  if (!tells(places, within, false)) return false;
  if (std::ranges::any_of(places, cannot)) return true;
  // Neighbours would do.
  if (std::ranges::any_of(places,
                          [](const Place& place) { return place.told && place.of_cta && place.wanted != 0; }))
    return false;
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
