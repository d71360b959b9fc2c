// Float operations of the judge: bit operations on patterns and roundings of exact reals.
#include <fmt/format.h>

#include "semcc/eval/expression.h"

namespace semcc::eval {

using ir::Expr;
using ir::Format;
using ir::Op;

namespace {

// The parts of a pattern; tf32 is read as the f32 it is stored in.
struct Fields {
  mpz_class sign, exponent, fraction;  // masks
};

Fields fields_of(Format format) {
  const FormatRecord record = record_of(format == Format::tf32 ? Format::f32 : format);
  const mpz_class sign = mpz_class(1) << (record.width() - 1);
  return {sign, record.infinity(), (mpz_class(1) << record.fraction_bits) - 1};
}

// What a NaN with unspecified sign and payload is.
Word some_nan(Format format) {
  const Fields fields = fields_of(format);
  return {canonical_nan(format), fields.sign | fields.fraction, true};
}

}  // namespace

std::optional<Real> Evaluator::real(const Expr& expr, ir::Rounding rounding) {
  if (expr.op == Op::Exact || expr.op == Op::RealOfInteger) {
    const Word word = evaluate(expr.args[0]);
    if (word.nan) return Real::nan();
    if (!word.known()) return std::nullopt;
    return expr.op == Op::Exact ? decode(word.bits, expr.args[0]->type.format) : Real::of(word.bits);
  }
  std::vector<Real> args;
  for (const ir::ExprPtr& arg : expr.args) {
    const std::optional<Real> value = real(*arg, rounding);
    if (!value) return std::nullopt;
    args.push_back(*value);
  }
  switch (expr.op) {
    case Op::RealAdd:
      return add(args[0], args[1], rounding);
    case Op::RealSub:
      return add(args[0], negated(args[1]), rounding);
    case Op::RealMul:
      return multiply(args[0], args[1]);
    case Op::RealFma:
      return add(multiply(args[0], args[1]), args[2], rounding);
    case Op::RealDiv:
      return divide(args[0], args[1]);
    case Op::RealSqrt:
      return square_root(args[0]);
    case Op::Integral:
      return integral(args[0], expr.rounding);
    default:
      throw Unsupported("not an admissible real");
  }
}

Word Evaluator::rounded(const Expr& expr) {
  const std::optional<Real> value = real(*expr.args[0], expr.rounding);
  if (!value) return unknown();
  if (value->kind == Real::Class::Nan) return some_nan(expr.type.format);
  return {round(*value, expr.type.format, expr.rounding), 0};
}

Word Evaluator::floating(const Expr& expr) {
  if (expr.op == Op::Round) return rounded(expr);
  if (expr.args.empty())
    throw Unsupported(fmt::format("operation {} outside its place", static_cast<int>(expr.op)));
  const Format format = expr.args[0]->type.format;
  const Fields fields = fields_of(format);
  const Word a = evaluate(expr.args[0]);
  const mpz_class exponent = a.bits & fields.exponent, fraction = a.bits & fields.fraction;
  const bool nan = a.nan || (exponent == fields.exponent && fraction != 0);

  // What can be said of a NaN whose payload is unspecified.
  switch (expr.op) {
    case Op::FloatNegate:
      return {a.bits ^ fields.sign, a.unspecified, a.nan};
    case Op::FloatAbs:
      return {a.bits & ~fields.sign, a.unspecified & ~fields.sign, a.nan};
    case Op::CopySign: {
      const Word b = evaluate(expr.args[1]);
      const mpz_class rest = fields.exponent | fields.fraction;
      return {(a.bits & fields.sign) | (b.bits & rest),
              (a.unspecified & fields.sign) | (b.unspecified & rest), b.nan};
    }
    case Op::SignBit:
      return {(a.bits & fields.sign) != 0 ? 1 : 0, (a.unspecified & fields.sign) != 0 ? 1 : 0};
    default:
      break;
  }
  if (!a.nan && !a.known()) return unknown();
  switch (expr.op) {
    case Op::Flush:
      return !nan && exponent == 0 ? Word{a.bits & fields.sign, 0} : a;
    case Op::Canonical:
      return nan ? Word{canonical_nan(format), 0} : a;
    case Op::UnitClamp: {
      if (nan || (a.bits & fields.sign) != 0) return {0, 0};
      const mpz_class one = round(Real::of(1), format, ir::Rounding::rn);
      return a.bits > one ? Word{one, 0} : a;
    }
    case Op::IsNan:
      return truth_word(nan);
    case Op::IsInfinite:
      return truth_word(!nan && exponent == fields.exponent);
    case Op::IsZero:
      return truth_word(!nan && exponent == 0 && fraction == 0);
    case Op::IsSubnormal:
      return truth_word(!nan && exponent == 0 && fraction != 0);
    case Op::IsNormal:
      return truth_word(!nan && exponent != 0 && exponent != fields.exponent);
    default:
      break;
  }
  const Word b = evaluate(expr.args[1]);
  if (!b.nan && !b.known()) return unknown();
  const Real x = nan ? Real::nan() : decode(a.bits, format), y = b.nan ? Real::nan() : decode(b.bits, format);
  if (x.kind == Real::Class::Nan || y.kind == Real::Class::Nan) return truth_word(false);
  const auto order = [](const Real& value) {
    return value.kind == Real::Class::Finite ? 0 : value.negative ? -1 : 1;
  };
  const int sides = order(x) - order(y);
  const int comparison = sides != 0 ? sides : order(x) != 0 ? 0 : cmp(x.signed_value(), y.signed_value());
  switch (expr.op) {
    case Op::FloatEqual:
      return truth_word(comparison == 0);
    case Op::FloatLess:
      return truth_word(comparison < 0);
    case Op::FloatLessEqual:
      return truth_word(comparison <= 0);
    default:
      throw Unsupported(fmt::format("operation {} has no meaning here", static_cast<int>(expr.op)));
  }
}

}  // namespace semcc::eval
