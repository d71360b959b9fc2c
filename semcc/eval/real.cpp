#include "semcc/eval/real.h"

#include <algorithm>
#include <stdexcept>

namespace semcc::eval {

using ir::Format;
using ir::Rounding;
using Class = Real::Class;

namespace {

mpz_class power_of_two(unsigned long exponent) { return mpz_class(1) << exponent; }

mpq_class scaled(const mpq_class& value, long by) {
  mpq_class result;
  if (by >= 0)
    mpq_mul_2exp(result.get_mpq_t(), value.get_mpq_t(), static_cast<unsigned long>(by));
  else
    mpq_div_2exp(result.get_mpq_t(), value.get_mpq_t(), static_cast<unsigned long>(-by));
  return result;
}

long floor_log2(const mpq_class& positive) {
  const long estimate = static_cast<long>(mpz_sizeinbase(positive.get_num().get_mpz_t(), 2)) -
                        static_cast<long>(mpz_sizeinbase(positive.get_den().get_mpz_t(), 2));
  return scaled(mpq_class(1), estimate) > positive ? estimate - 1 : estimate;
}

// A non-negative rational to an integer; `negative` is the sign of the number it is the magnitude of.
mpz_class to_integer(const mpq_class& magnitude, bool negative, Rounding rounding) {
  mpz_class quotient, rest;
  mpz_fdiv_qr(quotient.get_mpz_t(), rest.get_mpz_t(), magnitude.get_num_mpz_t(), magnitude.get_den_mpz_t());
  const int half = cmp(mpz_class(2 * rest), magnitude.get_den());
  bool up = false;
  switch (rounding) {
    case Rounding::rn:
    case Rounding::rni:
      up = half > 0 || (half == 0 && mpz_odd_p(quotient.get_mpz_t()));
      break;
    case Rounding::rna:
      up = half >= 0;
      break;
    case Rounding::rz:
    case Rounding::rzi:
      break;
    case Rounding::rm:
    case Rounding::rmi:
      up = negative && rest != 0;
      break;
    case Rounding::rp:
    case Rounding::rpi:
      up = !negative && rest != 0;
      break;
    case Rounding::None:
      throw std::invalid_argument("a rounding without a mode");
  }
  return up ? mpz_class(quotient + 1) : quotient;
}

}  // namespace

FormatRecord record_of(Format format) {
  switch (format) {
    case Format::f16:
      return {5, 10};
    case Format::bf16:
      return {8, 7};
    case Format::tf32:
      return {8, 10, 13};
    case Format::f32:
      return {8, 23};
    case Format::f64:
      return {11, 52};
    default:
      throw std::invalid_argument(std::string("no arithmetic is defined for ") + ir::format_name(format));
  }
}

mpz_class canonical_nan(Format format) {
  if (format == Format::f64) return mpz_class("7ff8000000000000", 16);
  if (format == Format::tf32) format = Format::f32;
  return power_of_two(record_of(format).width() - 1) - 1;
}

Real decode(const mpz_class& pattern, Format format) {
  const FormatRecord record = record_of(format == Format::tf32 ? Format::f32 : format);
  const mpz_class exponent_mask = power_of_two(record.exponent_bits) - 1;
  const mpz_class fraction = pattern & (power_of_two(record.fraction_bits) - 1);
  const mpz_class exponent = (pattern >> record.fraction_bits) & exponent_mask;
  const bool negative = mpz_tstbit(pattern.get_mpz_t(), record.width() - 1) != 0;
  if (exponent == exponent_mask) return fraction != 0 ? Real::nan() : Real::infinite(negative);
  const mpz_class significand =
      exponent == 0 ? fraction : mpz_class(fraction + power_of_two(record.fraction_bits));
  const long scale =
      std::max(exponent.get_si(), 1L) - record.bias() - static_cast<long>(record.fraction_bits);
  return {Class::Finite, negative, scaled(mpq_class(significand), scale)};
}

Real negated(Real a) {
  a.negative = !a.negative;
  return a;
}

Real add(const Real& a, const Real& b, Rounding rounding) {
  if (a.kind == Class::Nan || b.kind == Class::Nan) return Real::nan();
  if (a.kind == Class::Infinite && b.kind == Class::Infinite)
    return a.negative == b.negative ? a : Real::nan();
  if (a.kind == Class::Infinite) return a;
  if (b.kind == Class::Infinite) return b;
  const mpq_class sum = a.signed_value() + b.signed_value();
  if (sum == 0) return {Class::Finite, a.negative == b.negative ? a.negative : rounding == Rounding::rm, 0};
  return {Class::Finite, sum < 0, abs(sum)};
}

Real multiply(const Real& a, const Real& b) {
  const bool negative = a.negative != b.negative;
  if (a.kind == Class::Nan || b.kind == Class::Nan) return Real::nan();
  if (a.kind == Class::Infinite || b.kind == Class::Infinite)
    return a.is_zero() || b.is_zero() ? Real::nan() : Real::infinite(negative);
  return {Class::Finite, negative, a.magnitude * b.magnitude};
}

Real divide(const Real& a, const Real& b) {
  const bool negative = a.negative != b.negative;
  if (a.kind == Class::Nan || b.kind == Class::Nan) return Real::nan();
  if (a.kind == Class::Infinite) return b.kind == Class::Infinite ? Real::nan() : Real::infinite(negative);
  if (b.kind == Class::Infinite) return {Class::Finite, negative, 0};
  if (b.is_zero()) return a.is_zero() ? Real::nan() : Real::infinite(negative);
  return {Class::Finite, negative, a.magnitude / b.magnitude};
}

Real square_root(const Real& a) {
  if (a.kind == Class::Nan || a.is_zero()) return a;
  if (a.negative) return Real::nan();
  if (a.kind == Class::Infinite) return a;
  // isqrt(a * 4^k) has at least 128 bits; a lost rest is kept as half a unit more.
  const long k = 128 - floor_log2(a.magnitude) / 2;
  const mpq_class wide = scaled(a.magnitude, 2 * k);
  mpz_class whole, root, rest;
  mpz_fdiv_qr(whole.get_mpz_t(), rest.get_mpz_t(), wide.get_num_mpz_t(), wide.get_den_mpz_t());
  const bool exact_division = rest == 0;
  mpz_sqrtrem(root.get_mpz_t(), rest.get_mpz_t(), whole.get_mpz_t());
  const bool exact = exact_division && rest == 0;
  return {Class::Finite, false, scaled(exact ? mpq_class(root) : mpq_class(2 * root + 1, 2), -k)};
}

Real integral(const Real& a, Rounding rounding) {
  if (a.kind != Class::Finite) return a;
  return {Class::Finite, a.negative, mpq_class(to_integer(a.magnitude, a.negative, rounding))};
}

mpz_class round(const Real& value, Format format, Rounding rounding) {
  const FormatRecord record = record_of(format);
  if (value.kind == Class::Nan) return canonical_nan(format);
  const mpz_class sign = value.negative ? power_of_two(record.width() - 1) : mpz_class(0);
  const auto placed = [&](const mpz_class& pattern) {
    return mpz_class((pattern | sign) << record.low_zeros);
  };
  const mpz_class infinity = record.infinity();
  if (value.kind == Class::Infinite) return placed(infinity);
  if (value.magnitude == 0) return placed(0);
  const long least = 1 - record.bias();
  const long exponent = std::max(floor_log2(value.magnitude), least);
  const long fraction_bits = static_cast<long>(record.fraction_bits);
  const mpz_class significand =
      to_integer(scaled(value.magnitude, fraction_bits - exponent), value.negative, rounding);
  const mpz_class pattern = (mpz_class(exponent - least) << record.fraction_bits) + significand;
  if (pattern < infinity) return placed(pattern);
  const bool away = rounding == Rounding::rn || rounding == Rounding::rna ||
                    rounding == (value.negative ? Rounding::rm : Rounding::rp);
  return placed(away ? infinity : mpz_class(infinity - 1));
}

}  // namespace semcc::eval
