#include "semcc/eval/patterns.h"

#include <algorithm>
#include <stdexcept>

#include "semcc/eval/real.h"

namespace semcc::eval {
namespace {

mpz_class bits(unsigned width, Random& random) {
  mpz_class value;
  for (unsigned done = 0; done < width; done += 32)
    value = (value << 32) + static_cast<std::uint32_t>(random());
  return value & ((mpz_class(1) << width) - 1);
}

mpz_class any_integer(unsigned width, Random& random) {
  const mpz_class all = (mpz_class(1) << width) - 1;
  const unsigned shift = static_cast<unsigned>(random() % width);
  switch (random() % 8) {
    case 0:
      return mpz_class(static_cast<unsigned>(random() % 5));
    case 1:
      return all - static_cast<unsigned>(random() % 4);
    case 2:
      return ((mpz_class(1) << shift) + static_cast<unsigned>(random() % 3) + all) & all;
    case 3:
      return ((mpz_class(1) << (width - 1)) + static_cast<unsigned>(random() % 3) + all) & all;
    case 4:
      return bits(width, random) >> shift;
    case 5:
      return mpz_class(static_cast<unsigned>(random() % 70)) & all;  // shift amounts, lanes, bit counts
    default:
      return bits(width, random);
  }
}

mpz_class any_float(ir::Format format, unsigned width, Random& random) {
  if (format == ir::Format::tf32) format = ir::Format::f32;
  FormatRecord record{};
  try {
    record = record_of(format);
  } catch (const std::invalid_argument&) {
    return bits(width, random);
  }
  const mpz_class infinity = record.infinity(),
                  sign = (random() & 1) != 0 ? mpz_class(1) << (width - 1) : mpz_class(0);
  const mpz_class fraction = (mpz_class(1) << record.fraction_bits) - 1;
  const mpz_class one = mpz_class(record.bias()) << record.fraction_bits;
  switch (random() % 8) {
    case 0: {
      const mpz_class corners[] = {
          0, 1, fraction, fraction + 1, one, infinity - 1, infinity, infinity + 1, infinity + fraction};
      return sign | corners[random() % 9];
    }
    case 1:
      return sign | mpz_class(one + static_cast<unsigned>(random() % 5) - 2);
    // Few bits set: exact results and ties.
    case 2:
      return sign | (bits(width, random) & infinity) |
             ((bits(width, random) & 15) << (record.fraction_bits - 4));
    // Near one in size: sums that cancel, integers.
    case 3:
    case 4: {
      const mpz_class exponent = record.bias() + static_cast<int>(random() % 40) - 4;
      return sign |
             (std::min(exponent, mpz_class((infinity >> record.fraction_bits) - 1)) << record.fraction_bits) |
             (bits(width, random) & fraction);
    }
    default:
      return bits(width, random);
  }
}

}  // namespace

mpz_class any_pattern(const ir::Type& type, Random& random) {
  if (type.kind == ir::Kind::Pred) return mpz_class(static_cast<unsigned>(random() & 1));
  mpz_class pattern;
  for (unsigned part = 0; part < type.parts; ++part) {
    const mpz_class value = type.kind == ir::Kind::Float ? any_float(type.format, type.width, random)
                                                         : any_integer(type.width, random);
    pattern |= value << (part * type.width);
  }
  return pattern;
}

}  // namespace semcc::eval
