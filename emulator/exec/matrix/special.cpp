#include "emulator/exec/matrix/special.h"

namespace wedjat::exec::matrix {
namespace {

struct Kind {
  bool nan, infinite, zero, negative;
};

Kind kind_of(Format format, std::uint32_t pattern) {
  const FormatTraits traits = traits_of(format);
  const std::uint32_t bits = pattern >> traits.unread;
  const std::uint32_t top = (1u << traits.exponent_bits) - 1,
                      fraction_mask = (1u << traits.fraction_bits) - 1;
  const std::uint32_t field = bits >> traits.fraction_bits & top, fraction = bits & fraction_mask;
  const bool negative = (bits >> (traits.exponent_bits + traits.fraction_bits) & 1) != 0;
  if (!traits.infinities)
    return {field == top && fraction == fraction_mask, false, (field | fraction) == 0, negative};
  return {field == top && fraction != 0, field == top && fraction == 0, (field | fraction) == 0, negative};
}

}  // namespace

void Specials::add(Format format, std::uint32_t term) {
  const Kind kind = kind_of(format, term);
  nan |= kind.nan;
  positive |= kind.infinite && !kind.negative;
  negative |= kind.infinite && kind.negative;
}

void Specials::add_product(Format format_a, std::uint32_t a, Format format_b, std::uint32_t b) {
  const Kind left = kind_of(format_a, a), right = kind_of(format_b, b);
  const bool infinite = left.infinite || right.infinite;
  nan |= left.nan || right.nan || (left.infinite && right.zero) || (right.infinite && left.zero);
  positive |= infinite && left.negative == right.negative;
  negative |= infinite && left.negative != right.negative;
}

std::uint32_t Specials::result(Format format) const {
  const bool wide = format == Format::f32;
  if (nan || (positive && negative)) return wide ? 0x7fffffffu : 0x7fffu;
  const std::uint32_t infinity = wide ? 0x7f800000u : 0x7c00u;
  return negative ? infinity | (wide ? 0x80000000u : 0x8000u) : infinity;
}

}  // namespace wedjat::exec::matrix
