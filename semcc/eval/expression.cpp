#include "semcc/eval/expression.h"

#include <fmt/format.h>

#include "semcc/ir/arithmetic.h"

namespace semcc::eval {

using ir::Expr;
using ir::ExprPtr;
using ir::Kind;
using ir::Op;

namespace {

mpz_class low_mask(unsigned width) { return (mpz_class(1) << width) - 1; }
mpz_class low_bits(const mpz_class& value, unsigned width) {
  mpz_class result;
  mpz_fdiv_r_2exp(result.get_mpz_t(), value.get_mpz_t(), width);
  return result;
}

}  // namespace

Word Evaluator::at_lane(const ExprPtr& expr, unsigned lane) {
  lane_ = lane;
  known_.clear();
  return evaluate(expr);
}

Word Evaluator::evaluate(const ExprPtr& expr) {
  if (expr->args.empty()) return operation(*expr);
  if (const auto found = known_.find(expr.get()); found != known_.end()) return found->second;
  return known_[expr.get()] = operation(*expr);
}

Word Evaluator::operand(const Expr& expr) {
  const ir::Operand& operand = form_.operands.at(static_cast<std::size_t>(expr.index));
  unsigned lane = lane_;
  if (!expr.args.empty()) {
    const Word which = evaluate(expr.args[0]);
    if (!which.known()) return unknown();
    if (which.bits < 0 || which.bits >= lanes)
      throw Unsupported(fmt::format("lane {} of operand {}", which.bits.get_str(), operand.name));
    lane = static_cast<unsigned>(which.bits.get_ui());
  }
  const unsigned parts = operand.type.parts;
  const bool packed = parts > 1 && expr.part >= 0;
  const unsigned element = operand.count > 1 && expr.part >= 0 ? static_cast<unsigned>(expr.part) / parts : 0;
  Word word = before_.operands.at(static_cast<std::size_t>(expr.index)).at(element)[lane];
  unsigned width = operand.kind == ir::OperandKind::Address ? 64 : operand.type.bits();
  if (packed) {
    width = operand.type.width;
    const unsigned shift = static_cast<unsigned>(expr.part) % parts * width;
    word.bits = low_bits(word.bits >> shift, width);
    word.unspecified = low_bits(word.unspecified >> shift, width);
  }
  if (expr.type.kind == Kind::Integer && expr.type.is_signed &&
      mpz_tstbit(word.bits.get_mpz_t(), width - 1) != 0)
    word.bits -= mpz_class(1) << width;
  return word;
}

Word Evaluator::choose(const Expr& expr) {
  const Word condition = evaluate(expr.args[0]);
  if (condition.known()) return evaluate(expr.args[condition.is_true() ? 1 : 2]);
  const Word yes = evaluate(expr.args[1]), no = evaluate(expr.args[2]);
  return {yes.bits, yes.unspecified | no.unspecified | (yes.bits ^ no.bits), yes.nan && no.nan};
}

// Operations that keep unspecified bits where they are.
Word Evaluator::bitwise(const Expr& expr) {
  const Word a = evaluate(expr.args[0]);
  switch (expr.op) {
    case Op::Wrap: {
      const mpz_class mask = low_bits(a.unspecified, expr.type.width);
      return {ir::wrap_to(a.bits, expr.type), mask};
    }
    case Op::Slice:
      return {ir::slice_bits(a.bits, expr.high, expr.low),
              ir::slice_bits(a.unspecified, expr.high, expr.low)};
    case Op::Reverse:
      return {ir::reverse_bits(a.bits, expr.high + 1),
              ir::reverse_bits(low_bits(a.unspecified, expr.high + 1), expr.high + 1)};
    case Op::Not:
      return {~a.bits, a.unspecified};
    case Op::ToInteger:
      return a.nan ? Word{a.bits, a.unspecified, false} : a;
    case Op::ToFloat:
      return {low_bits(a.bits, expr.type.width), low_bits(a.unspecified, expr.type.width)};
    default:
      break;
  }
  const Word b = evaluate(expr.args[1]);
  const mpz_class either = a.unspecified | b.unspecified;
  switch (expr.op) {
    case Op::And:
      return {a.bits & b.bits, either & (a.bits | a.unspecified) & (b.bits | b.unspecified)};
    case Op::Or:
      return {a.bits | b.bits, either & ~(a.bits & ~a.unspecified) & ~(b.bits & ~b.unspecified)};
    case Op::Xor:
      return {a.bits ^ b.bits, either};
    default:
      break;
  }
  // Shl, Shr
  if (!b.known()) return unknown();
  return {ir::compute(expr.op, a.bits, b.bits), ir::compute(expr.op, a.unspecified, b.bits)};
}

Word Evaluator::arithmetic(const Expr& expr) {
  if (expr.op == Op::Clamp && expr.args[0]->op == Op::Integral) {
    const Expr& inner = *expr.args[0];
    const std::optional<Real> value = real(*inner.args[0], inner.rounding);
    // A NaN must be selected away: whatever comes out here may not reach a result.
    if (!value || value->kind == Real::Class::Nan) return unknown();
    const ir::Interval range = ir::range_of(expr.type);
    if (value->kind == Real::Class::Infinite) return {value->negative ? range.low : range.high, 0};
    const mpq_class whole = integral(*value, inner.rounding).signed_value();
    return {ir::clamp_to(whole.get_num(), expr.type), 0};
  }
  std::vector<Word> args;
  for (const ExprPtr& arg : expr.args) args.push_back(evaluate(arg));
  for (const Word& arg : args)
    if (!arg.known()) return unknown();
  switch (expr.op) {
    case Op::Clamp:
      return {ir::clamp_to(args[0].bits, expr.type), 0};
    case Op::Table: {
      const ir::Table& table = program_.tables.at(expr.name);
      if (args[0].bits < 0 || args[0].bits >= table.values.size())
        throw Unsupported(fmt::format("element {} of table {}", args[0].bits.get_str(), expr.name));
      return {table.values[args[0].bits.get_ui()], 0};
    }
    default:
      return {ir::compute(expr.op, args[0].bits, args.size() > 1 ? args[1].bits : mpz_class(0)), 0};
  }
}

Word Evaluator::truth(const Expr& expr) {
  const Word a = evaluate(expr.args[0]);
  if (expr.op == Op::LogicalNot) return {1 - a.bits, a.unspecified};
  if (expr.op == Op::ToPred) return a.known() ? truth_word(a.bits != 0) : unknown();
  if (expr.op == Op::LogicalAnd && a.known() && !a.is_true()) return truth_word(false);
  if (expr.op == Op::LogicalOr && a.known() && a.is_true()) return truth_word(true);
  const Word b = evaluate(expr.args[1]);
  if (expr.op == Op::LogicalAnd && b.known() && !b.is_true()) return truth_word(false);
  if (expr.op == Op::LogicalOr && b.known() && b.is_true()) return truth_word(true);
  if (!a.known() || !b.known()) return unknown();
  switch (expr.op) {
    case Op::Equal:
      return truth_word(a.bits == b.bits);
    case Op::NotEqual:
    case Op::LogicalXor:
      return truth_word(a.bits != b.bits);
    case Op::Less:
      return truth_word(a.bits < b.bits);
    case Op::LessEqual:
      return truth_word(a.bits <= b.bits);
    case Op::LogicalAnd:
      return truth_word(a.is_true() && b.is_true());
    default:
      return truth_word(a.is_true() || b.is_true());
  }
}

Word Evaluator::element(const Expr& expr) {
  const ir::Matrix& shape = form_.matrices.at(static_cast<std::size_t>(expr.index));
  const Word row = evaluate(expr.args[0]), column = evaluate(expr.args[1]);
  if (!row.known() || !column.known()) return unknown();
  return matrix(expr.index).at(row.bits.get_ui() * shape.columns + column.bits.get_ui());
}

// Ballot and Reduce over the active lanes.
Word Evaluator::over_lanes(const Expr& expr) {
  Word result;
  bool first = true;
  const auto outer = std::exchange(known_, {});
  const unsigned outer_bound = bound_;
  for (bound_ = 0; bound_ < lanes; ++bound_) {
    if ((before_.active >> bound_ & 1) == 0) continue;
    known_.clear();
    const Word value = evaluate(expr.args[0]);
    if (expr.op == Op::Ballot) {
      result.bits |= mpz_class(value.is_true() ? 1 : 0) << bound_;
      if (!value.known()) result.unspecified |= mpz_class(1) << bound_;
      continue;
    }
    if (!value.known()) {
      result = unknown();
      break;
    }
    if (std::exchange(first, false)) {
      result = value;
      continue;
    }
    static constexpr Op operations[] = {Op::Add, Op::Min, Op::Max, Op::And, Op::Or, Op::Xor};
    result.bits = ir::compute(operations[static_cast<int>(expr.reduce)], result.bits, value.bits);
  }
  bound_ = outer_bound;
  known_ = outer;
  return result;
}

Word Evaluator::operation(const Expr& expr) {
  switch (expr.op) {
    case Op::Constant:
      return {expr.constant, 0};
    case Op::Operand:
      return operand(expr);
    case Op::Local:
      return locals_.at(static_cast<std::size_t>(expr.index))[lane_];
    case Op::Lane:
      return {lane_, 0};
    case Op::BoundLane:
      return {bound_, 0};
    case Op::BoundIndex:
      return {place_.at(static_cast<std::size_t>(expr.index)), 0};
    case Op::Element:
      return element(expr);
    case Op::ActiveMask:
      return {before_.active, 0};
    case Op::PredMask: {
      Word mask;
      const Row& row = before_.operands.at(static_cast<std::size_t>(expr.index)).at(0);
      for (unsigned lane = 0; lane < lanes; ++lane) {
        mask.bits |= row[lane].bits << lane;
        if (!row[lane].known()) mask.unspecified |= mpz_class(1) << lane;
      }
      return mask;
    }
    case Op::Unspecified:
      return {0, expr.type.kind == Kind::Pred ? mpz_class(1) : low_mask(std::max(expr.type.bits(), 1u))};
    case Op::State:
      return {before_.carry >> lane_ & 1, before_.unspecified_carry >> lane_ & 1};
    case Op::Special: {
      const auto found = before_.specials.find(expr.name);
      if (found == before_.specials.end())
        throw Unsupported(fmt::format("the machine value {} is not given", expr.name));
      return {mpz_class(std::to_string(found->second)), 0};
    }
    case Op::And:
    case Op::Or:
    case Op::Xor:
    case Op::Not:
    case Op::Shl:
    case Op::Shr:
    case Op::Wrap:
    case Op::Slice:
    case Op::Reverse:
    case Op::ToInteger:
    case Op::ToFloat:
      return bitwise(expr);
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Div:
    case Op::Rem:
    case Op::Neg:
    case Op::Min:
    case Op::Max:
    case Op::Abs:
    case Op::PopCount:
    case Op::HighestBit:
    case Op::Clamp:
    case Op::Table:
      return arithmetic(expr);
    case Op::Select:
      return choose(expr);
    case Op::Equal:
    case Op::NotEqual:
    case Op::Less:
    case Op::LessEqual:
    case Op::LogicalAnd:
    case Op::LogicalOr:
    case Op::LogicalXor:
    case Op::LogicalNot:
    case Op::ToPred:
      return truth(expr);
    case Op::Ballot:
    case Op::Reduce:
      return over_lanes(expr);
    default:
      return floating(expr);
  }
}

}  // namespace semcc::eval
