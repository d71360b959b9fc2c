#include "semcc/eval/aligned.h"

#include <algorithm>
#include <stdexcept>

namespace semcc::eval {
namespace {

using ir::Format;

struct Layout {
  unsigned exponent_bits, fraction_bits, unread = 0;  // unread: low bits of the register
  bool infinities = true;                             // e4m3 has one NaN in each sign, and none
  long bias() const { return (1L << (exponent_bits - 1)) - 1; }
};

Layout layout_of(Format format) {
  switch (format) {
    case Format::e4m3:
      return {4, 3, 0, false};
    case Format::e5m2:
      return {5, 2};
    case Format::f16:
      return {5, 10};
    case Format::bf16:
      return {8, 7};
    case Format::tf32:
      return {8, 10, 13};
    case Format::f32:
      return {8, 23};
    default:
      throw std::invalid_argument("no aligned sums of this format");
  }
}

// magnitude * 2^unit; `exponent` is the one it is aligned by.
struct Term {
  bool nan = false, infinite = false, negative = false;
  mpz_class magnitude;
  long exponent = 0, unit = 0;
  bool is_zero() const { return !nan && !infinite && magnitude == 0; }
};

// Not normalised: a subnormal keeps the least exponent.
Term decode(const Pattern& pattern) {
  const Layout layout = layout_of(pattern.format);
  const mpz_class bits = pattern.bits >> layout.unread;
  const mpz_class fraction = bits & ((mpz_class(1) << layout.fraction_bits) - 1);
  const unsigned long top = (1ul << layout.exponent_bits) - 1;
  const unsigned long field = mpz_class((bits >> layout.fraction_bits) & top).get_ui();
  Term term;
  term.negative = mpz_tstbit(bits.get_mpz_t(), layout.exponent_bits + layout.fraction_bits) != 0;
  if (field == top && (layout.infinities || fraction == (1u << layout.fraction_bits) - 1)) {
    term.nan = fraction != 0;
    term.infinite = !term.nan;
    return term;
  }
  term.exponent = (field == 0 ? 1 : static_cast<long>(field)) - layout.bias();
  term.unit = term.exponent - static_cast<long>(layout.fraction_bits);
  term.magnitude = field == 0 ? fraction : mpz_class(fraction + (mpz_class(1) << layout.fraction_bits));
  return term;
}

Term multiplied(const Term& a, const Term& b) {
  Term product;
  product.negative = a.negative != b.negative;
  product.nan = a.nan || b.nan || (a.infinite && b.is_zero()) || (b.infinite && a.is_zero());
  product.infinite = !product.nan && (a.infinite || b.infinite);
  product.magnitude = a.magnitude * b.magnitude;
  product.exponent = a.exponent + b.exponent;
  product.unit = a.unit + b.unit;
  return product;
}

long bits_of(const mpz_class& positive) { return static_cast<long>(mpz_sizeinbase(positive.get_mpz_t(), 2)); }

mpz_class shifted(const mpz_class& value, long left) {
  return left >= 0 ? mpz_class(value << static_cast<unsigned long>(left))
                   : mpz_class(value >> static_cast<unsigned long>(-left));
}

// sum * 2^unit in `format`, rounded to so many significant bits; zero is +0.
mpz_class rounded(const mpz_class& sum, long unit, const ir::Multiply& how, Format format) {
  if (sum == 0) return 0;
  const Layout layout = layout_of(format);
  const long least = 1 - layout.bias(), spare = static_cast<long>(how.significant) - 1;
  mpz_class magnitude = abs(sum);
  const long wanted = std::max(bits_of(magnitude) - 1 + unit, least) - spare;
  if (wanted > unit) {
    const mpz_class whole = shifted(magnitude, unit - wanted);
    const mpz_class rest = magnitude - shifted(whole, wanted - unit);
    const int half = cmp(mpz_class(2 * rest), shifted(1, wanted - unit));
    const bool up =
        how.rounding == ir::Rounding::rn && (half > 0 || (half == 0 && mpz_odd_p(whole.get_mpz_t())));
    magnitude = up ? mpz_class(whole + 1) : whole;
    unit = wanted;
  }
  if (magnitude == 0) return 0;
  const mpz_class sign =
      sum < 0 ? mpz_class(1) << (layout.exponent_bits + layout.fraction_bits) : mpz_class(0);
  const long exponent = bits_of(magnitude) - 1 + unit;
  if (exponent > layout.bias())
    return sign + (((mpz_class(1) << layout.exponent_bits) - 1) << layout.fraction_bits);
  const long base = std::max(exponent, least);
  const mpz_class significand = shifted(magnitude, unit - base + static_cast<long>(layout.fraction_bits));
  // The hidden one of a normal number adds itself to the exponent's field.
  return sign + (mpz_class(base + layout.bias() - 1) << layout.fraction_bits) + significand;
}

mpz_class block_sum(const ir::Multiply& how, Format format, const std::vector<Term>& terms) {
  const Layout layout = layout_of(format);
  bool nan = false, positive = false, negative = false;
  long greatest = how.floor;
  for (const Term& term : terms) {
    nan = nan || term.nan;
    positive = positive || (term.infinite && !term.negative);
    negative = negative || (term.infinite && term.negative);
    if (!term.nan && !term.infinite && term.magnitude != 0) greatest = std::max(greatest, term.exponent);
  }
  const unsigned width = 1 + layout.exponent_bits + layout.fraction_bits;
  if (nan || (positive && negative)) return (mpz_class(1) << (width - 1)) - 1;
  const mpz_class infinity = ((mpz_class(1) << layout.exponent_bits) - 1) << layout.fraction_bits;
  if (positive || negative) return negative ? mpz_class(infinity + (mpz_class(1) << (width - 1))) : infinity;
  const long unit = greatest - static_cast<long>(how.fraction);
  mpz_class sum;
  for (const Term& term : terms) {
    const mpz_class aligned = shifted(term.magnitude, term.unit - unit);
    sum += term.negative ? mpz_class(-aligned) : aligned;
  }
  return rounded(sum, unit, how, format);
}

}  // namespace

mpz_class aligned_sum(const ir::Multiply& how, Format format, const std::vector<Pattern>& a,
                      const std::vector<Pattern>& b, const mpz_class& addend) {
  mpz_class sum = addend;
  for (std::size_t first = 0; first < a.size(); first += how.block) {
    std::vector<Term> terms{decode({sum, format})};
    for (std::size_t k = first; k < first + how.block; ++k)
      terms.push_back(multiplied(decode(a[k]), decode(b[k])));
    sum = block_sum(how, format, terms);
  }
  return sum;
}

}  // namespace semcc::eval
