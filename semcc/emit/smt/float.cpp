// Truth values and floats as SMT-LIB terms: patterns are bit vectors, arithmetic goes through the theory of
// floats.
#include <fmt/format.h>

#include <algorithm>

#include "semcc/emit/smt/expr.h"
#include "semcc/eval/real.h"

namespace semcc::emit {

using ir::Expr;
using ir::Kind;
using ir::Op;

namespace {

struct Shape {
  unsigned exponent, significand;  // as the theory counts them: with the hidden bit
  std::string of(const std::string& bits) const {
    return fmt::format("((_ to_fp {} {}) {})", exponent, significand, bits);
  }
};

Shape shape_of(ir::Format format) {
  if (format != ir::Format::f16 && format != ir::Format::bf16 && format != ir::Format::f32 &&
      format != ir::Format::f64)
    throw NoTerm("a format without its theory");
  const eval::FormatRecord record = eval::record_of(format);
  return {record.exponent_bits, record.fraction_bits + 1};
}

const char* mode(ir::Rounding rounding) {
  switch (rounding) {
    case ir::Rounding::rn:
    case ir::Rounding::rni:
      return "RNE";
    case ir::Rounding::rz:
    case ir::Rounding::rzi:
      return "RTZ";
    case ir::Rounding::rm:
    case ir::Rounding::rmi:
      return "RTN";
    case ir::Rounding::rp:
    case ir::Rounding::rpi:
      return "RTP";
    default:
      throw NoTerm("a rounding without its theory");
  }
}

}  // namespace

// In the theory's sort of `format`: only reals whose operands have that format round once.
std::string SmtTerms::real(const Expr& expr, ir::Format format, ir::Rounding rounding) {
  const Shape shape = shape_of(format);
  const auto arg = [&](std::size_t i) { return real(*expr.args[i], format, rounding); };
  switch (expr.op) {
    case Op::Exact:
      if (expr.args[0]->type.format != format) throw NoTerm("a conversion inside of arithmetic");
      return shape.of(term(expr.args[0]));
    case Op::RealAdd:
      return fmt::format("(fp.add {} {} {})", mode(rounding), arg(0), arg(1));
    case Op::RealSub:
      return fmt::format("(fp.sub {} {} {})", mode(rounding), arg(0), arg(1));
    case Op::RealMul:
      return fmt::format("(fp.mul {} {} {})", mode(rounding), arg(0), arg(1));
    case Op::RealDiv:
      return fmt::format("(fp.div {} {} {})", mode(rounding), arg(0), arg(1));
    case Op::RealFma:
      return fmt::format("(fp.fma {} {} {} {})", mode(rounding), arg(0), arg(1), arg(2));
    case Op::RealSqrt:
      return fmt::format("(fp.sqrt {} {})", mode(rounding), arg(0));
    case Op::Integral:
      return fmt::format("(fp.roundToIntegral {} {})", mode(expr.rounding), arg(0));
    default:
      throw NoTerm("a real");
  }
}

std::string SmtTerms::floating(const Expr& expr) {
  const ir::Format format = expr.type.format;
  if (expr.op == Op::ToFloat) {
    const unsigned bits = expr.type.width, from = width(*expr.args[0]);
    return from >= bits ? fmt::format("((_ extract {} 0) {})", bits - 1, term(expr.args[0]))
                        : at_width(expr.args[0], bits);
  }
  if (expr.op == Op::Round) {
    const Expr& inner = *expr.args[0];
    const Shape shape = shape_of(format);
    if (inner.op == Op::RealOfInteger)
      return fmt::format("(fp.to_ieee_bv ((_ to_fp {} {}) {} {}))", shape.exponent, shape.significand,
                         mode(expr.rounding), term(inner.args[0]));
    if (inner.op == Op::Exact && inner.args[0]->type.format != format)
      return fmt::format("(fp.to_ieee_bv ((_ to_fp {} {}) {} {}))", shape.exponent, shape.significand,
                         mode(expr.rounding), shape_of(inner.args[0]->type.format).of(term(inner.args[0])));
    return fmt::format("(fp.to_ieee_bv {})", real(inner, format, expr.rounding));
  }
  const std::string a = term(expr.args[0]);
  const unsigned bits = expr.type.width;
  const auto number = [&](const mpz_class& value) {
    return fmt::format("(_ bv{} {})", value.get_str(), bits);
  };
  const mpz_class sign = mpz_class(1) << (bits - 1);
  switch (expr.op) {
    case Op::FloatNegate:
      return fmt::format("(bvxor {} {})", a, number(sign));
    case Op::FloatAbs:
      return fmt::format("(bvand {} {})", a, number(sign - 1));
    case Op::CopySign:
      return fmt::format("(bvor (bvand {} {}) (bvand {} {}))", a, number(sign), term(expr.args[1]),
                         number(sign - 1));
    case Op::Flush:
      return fmt::format("(ite (fp.isSubnormal {1}) (bvand {0} {2}) {0})", a, shape_of(format).of(a),
                         number(sign));
    case Op::Canonical:
      return fmt::format("(ite (fp.isNaN {1}) {2} {0})", a, shape_of(format).of(a),
                         number(eval::canonical_nan(format)));
    case Op::UnitClamp: {
      const Shape shape = shape_of(format);
      const std::string value = shape.of(a),
                        one = fmt::format("((_ to_fp {} {}) RNE 1.0)", shape.exponent, shape.significand);
      return fmt::format(
          "(ite (or (fp.isNaN {0}) (fp.isZero {0}) (fp.isNegative {0})) {1} (ite (fp.gt {0} {2}) "
          "(fp.to_ieee_bv {2}) {3}))",
          value, number(0), one, a);
    }
    default:
      throw NoTerm("an operation on floats");
  }
}

std::string SmtTerms::truth(const Expr& expr) {
  const auto pair = [&](const char* name) {
    return fmt::format("({} {} {})", name, term(expr.args[0]), term(expr.args[1]));
  };
  const auto compared = [&](const char* name) {
    const unsigned wide = std::max(width(*expr.args[0]), width(*expr.args[1]));
    return fmt::format("({} {} {})", name, at_width(expr.args[0], wide), at_width(expr.args[1], wide));
  };
  const auto of_float = [&](const char* name) {
    const ir::Format format = expr.args[0]->type.format;
    std::string out = fmt::format("({}", name);
    for (const ir::ExprPtr& arg : expr.args) out += " " + shape_of(format).of(term(arg));
    return out + ")";
  };
  const bool integers = expr.args[0]->type.kind == Kind::Integer;
  switch (expr.op) {
    case Op::Equal:
      return integers ? compared("=") : pair("=");
    case Op::NotEqual:
      return integers ? compared("distinct") : pair("distinct");
    case Op::Less:
      return compared("bvslt");
    case Op::LessEqual:
      return compared("bvsle");
    case Op::LogicalAnd:
      return pair("and");
    case Op::LogicalOr:
      return pair("or");
    case Op::LogicalXor:
      return pair("xor");
    case Op::LogicalNot:
      return fmt::format("(not {})", term(expr.args[0]));
    case Op::ToPred:
      return fmt::format("(distinct {} (_ bv0 {}))", term(expr.args[0]), width(*expr.args[0]));
    case Op::IsNan:
      return of_float("fp.isNaN");
    case Op::IsInfinite:
      return of_float("fp.isInfinite");
    case Op::IsZero:
      return of_float("fp.isZero");
    case Op::IsSubnormal:
      return of_float("fp.isSubnormal");
    case Op::IsNormal:
      return of_float("fp.isNormal");
    case Op::SignBit: {
      const unsigned top = width(*expr.args[0]) - 1;
      return fmt::format("(= ((_ extract {0} {0}) {1}) #b1)", top, term(expr.args[0]));
    }
    case Op::FloatEqual:
      return of_float("fp.eq");
    case Op::FloatLess:
      return of_float("fp.lt");
    case Op::FloatLessEqual:
      return of_float("fp.leq");
    default:
      throw NoTerm("a truth value");
  }
}

}  // namespace semcc::emit
