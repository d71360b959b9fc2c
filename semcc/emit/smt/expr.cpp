#include "semcc/emit/smt/expr.h"

#include <fmt/format.h>

#include <algorithm>

namespace semcc::emit {

using ir::Expr;
using ir::ExprPtr;
using ir::Kind;
using ir::Op;

namespace {

// At least one bit, and one for the sign.
unsigned signed_bits(const ir::Interval& range) {
  return std::max(1u, range.bits()) + (range.needs_sign() ? 0 : 1);
}

std::string constant(const mpz_class& value, unsigned width) {
  mpz_class pattern;
  mpz_fdiv_r_2exp(pattern.get_mpz_t(), value.get_mpz_t(), width);
  return fmt::format("(_ bv{} {})", pattern.get_str(), width);
}

std::string resized(const std::string& term, unsigned from, unsigned to) {
  if (from == to) return term;
  if (from < to) return fmt::format("((_ sign_extend {}) {})", to - from, term);
  return fmt::format("((_ extract {} 0) {})", to - 1, term);
}

std::string extract(const std::string& term, unsigned high, unsigned low) {
  return fmt::format("((_ extract {} {}) {})", high, low, term);
}

// A natural number below 2^bits as a signed one.
std::string unsigned_term(const std::string& bits, unsigned from, unsigned to) {
  return from < to ? fmt::format("((_ zero_extend {}) {})", to - from, bits) : resized(bits, from, to);
}

}  // namespace

unsigned SmtTerms::width(const Expr& expr) {
  return expr.type.kind == Kind::Float ? expr.type.width : signed_bits(expr.range);
}

std::string SmtTerms::sort(const Expr& expr) {
  return expr.type.kind == Kind::Pred ? "Bool" : fmt::format("(_ BitVec {})", width(expr));
}

std::string SmtTerms::at_width(const ExprPtr& expr, unsigned to) {
  return resized(term(expr), width(*expr), to);
}

std::string SmtTerms::term(const ExprPtr& expr) {
  if (expr->args.empty()) return operation(*expr);
  if (const auto found = known_.find(expr.get()); found != known_.end()) return found->second;
  const std::string text = operation(*expr);
  const std::string name = fmt::format("?{}", named_.size());
  named_.emplace_back(name, text);
  kept_.push_back(expr);
  return known_[expr.get()] = name;
}

std::string SmtTerms::around(const std::string& result) const {
  std::string out, closing;
  for (const auto& [name, text] : named_) {
    out += fmt::format("(let (({} {}))\n", name, text);
    closing += ")";
  }
  return out + result + closing;
}

// Operands are bit vectors of their registers (Bool: predicates).
std::string SmtTerms::operand(const Expr& expr) {
  if (form_ == nullptr || !expr.args.empty()) throw NoTerm("another lane's operand");
  const ir::Operand& operand = form_->operands.at(static_cast<std::size_t>(expr.index));
  if (operand.count != 1 || operand.kind == ir::OperandKind::Address) throw NoTerm("a vector or an address");
  const std::string& bits = operands_.at(static_cast<std::size_t>(expr.index));
  if (expr.type.kind == Kind::Pred) return bits;
  const unsigned all = operand.type.bits(), part = expr.part < 0 ? all : operand.type.width;
  const std::string value = expr.part < 0 ? bits
                                          : extract(bits, (static_cast<unsigned>(expr.part) + 1) * part - 1,
                                                    static_cast<unsigned>(expr.part) * part);
  if (expr.type.kind == Kind::Float) return value;
  const unsigned to = width(expr);
  return expr.type.is_signed ? resized(value, part, to) : unsigned_term(value, part, to);
}

std::string SmtTerms::operation(const Expr& expr) {
  switch (expr.op) {
    case Op::Constant:
      if (expr.type.kind == Kind::Pred) return expr.constant != 0 ? "true" : "false";
      return constant(expr.constant, width(expr));
    case Op::Operand:
      return operand(expr);
    case Op::Local: {
      const std::string& local = locals_.at(static_cast<std::size_t>(expr.index));
      if (local.empty()) throw NoTerm("a local without a value");
      return local;
    }
    case Op::Unspecified: {
      const std::string name = fmt::format("|unspecified {}|", free_.size());
      free_[name] = sort(expr);
      return name;
    }
    case Op::Select: {
      const std::string condition = term(expr.args[0]);
      if (expr.type.kind != Kind::Integer)
        return fmt::format("(ite {} {} {})", condition, term(expr.args[1]), term(expr.args[2]));
      const unsigned to = width(expr);
      return fmt::format("(ite {} {} {})", condition, at_width(expr.args[1], to), at_width(expr.args[2], to));
    }
    default:
      break;
  }
  if (expr.type.kind == Kind::Pred) return truth(expr);
  return expr.type.kind == Kind::Float ? floating(expr) : integer(expr);
}

// A bound beyond the argument's interval is no bound.
std::string SmtTerms::clamp(const Expr& expr) {
  const Expr& inner = *expr.args[0];
  if (inner.type.kind != Kind::Integer || inner.op == Op::Integral) throw NoTerm("a clamped real");
  const ir::Interval range = ir::range_of(expr.type);
  const unsigned wide = std::max(width(inner), signed_bits(range)), to = width(expr);
  const std::string value = at_width(expr.args[0], wide);
  std::string out = value;
  if (range.high < inner.range.high)
    out = fmt::format("(ite (bvsgt {0} {1}) {1} {2})", value, constant(range.high, wide), out);
  if (range.low > inner.range.low)
    out = fmt::format("(ite (bvslt {0} {1}) {1} {2})", value, constant(range.low, wide), out);
  return resized(out, wide, to);
}

std::string SmtTerms::integer(const Expr& expr) {
  const unsigned to = width(expr);
  unsigned wide = to;
  for (const ExprPtr& arg : expr.args)
    if (arg->type.kind == Kind::Integer) wide = std::max(wide, width(*arg));
  const auto both = [&](const char* name) {
    return resized(
        fmt::format("({} {} {})", name, at_width(expr.args[0], wide), at_width(expr.args[1], wide)), wide,
        to);
  };
  const auto a = [&](unsigned bits) { return at_width(expr.args[0], bits); };
  switch (expr.op) {
    case Op::Add:
      return both("bvadd");
    case Op::Sub:
      return both("bvsub");
    case Op::Mul:
      return both("bvmul");
    case Op::And:
      return both("bvand");
    case Op::Or:
      return both("bvor");
    case Op::Xor:
      return both("bvxor");
    case Op::Shl:
      return both("bvshl");
    case Op::Shr:
      return both("bvashr");
    case Op::Div:
    case Op::Rem: {
      const std::string quotient = both(expr.op == Op::Div ? "bvsdiv" : "bvsrem");
      return fmt::format("(ite (= {} {}) {} {})", term(expr.args[1]), constant(0, width(*expr.args[1])),
                         constant(0, to), quotient);
    }
    case Op::Neg:
      return resized(fmt::format("(bvneg {})", a(wide)), wide, to);
    case Op::Not:
      return resized(fmt::format("(bvnot {})", a(wide)), wide, to);
    case Op::Abs:
      return resized(fmt::format("(ite (bvslt {0} {1}) (bvneg {0}) {0})", a(wide), constant(0, wide)), wide,
                     to);
    case Op::Min:
    case Op::Max: {
      const std::string x = a(wide), y = at_width(expr.args[1], wide);
      return resized(
          fmt::format("(ite ({} {} {}) {} {})", expr.op == Op::Min ? "bvslt" : "bvsgt", x, y, x, y), wide,
          to);
    }
    case Op::Slice: {
      const unsigned bits = expr.high - expr.low + 1;
      return unsigned_term(extract(a(std::max(width(*expr.args[0]), expr.high + 1)), expr.high, expr.low),
                           bits, to);
    }
    case Op::Wrap: {
      const unsigned bits = expr.type.width;
      const std::string low =
          resized(a(std::max(width(*expr.args[0]), bits)), std::max(width(*expr.args[0]), bits), bits);
      return expr.type.is_signed ? resized(low, bits, to) : unsigned_term(low, bits, to);
    }
    case Op::Clamp:
      return clamp(expr);
    case Op::PopCount: {
      const unsigned from = width(*expr.args[0]);
      const std::string value = term(expr.args[0]);
      std::string sum = constant(0, to);
      for (unsigned bit = 0; bit < from; ++bit)
        sum = fmt::format("(bvadd {} {})", sum, unsigned_term(extract(value, bit, bit), 1, to));
      return sum;
    }
    case Op::HighestBit: {
      const unsigned from = width(*expr.args[0]);
      const std::string value = term(expr.args[0]);
      std::string found = constant(-1, to);
      for (unsigned bit = 0; bit + 1 < from; ++bit)
        found = fmt::format("(ite (= {} #b1) {} {})", extract(value, bit, bit), constant(bit, to), found);
      return found;
    }
    case Op::Reverse: {
      const unsigned bits = expr.high + 1;
      const std::string value = a(std::max(width(*expr.args[0]), bits));
      std::string out;
      for (unsigned bit = 0; bit < bits; ++bit) out += " " + extract(value, bit, bit);
      return unsigned_term(bits == 1 ? extract(value, 0, 0) : fmt::format("(concat{})", out), bits, to);
    }
    case Op::ToInteger:
      if (expr.args[0]->type.kind == Kind::Pred)
        return fmt::format("(ite {} {} {})", term(expr.args[0]), constant(1, to), constant(0, to));
      return unsigned_term(term(expr.args[0]), width(*expr.args[0]), to);
    default:
      throw NoTerm("an integer operation");
  }
}

}  // namespace semcc::emit
