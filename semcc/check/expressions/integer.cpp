// Exact integers: every result carries the interval it provably lies in.
#include <fmt/format.h>

#include <algorithm>

#include "semcc/check/expressions/build.h"
#include "semcc/check/types/types.h"
#include "semcc/ir/arithmetic.h"

namespace semcc::check::build {
namespace {

using ir::Interval;

Interval hull(std::initializer_list<mpz_class> values) { return {std::min(values), std::max(values)}; }
mpz_class ones(unsigned bits) { return (mpz_class(1) << bits) - 1; }

Interval bitwise(Op op, const Interval& a, const Interval& b) {
  const unsigned bits = std::max(a.bits(), b.bits());
  if (!a.needs_sign() && !b.needs_sign()) {
    if (op == Op::And) return {0, std::min(a.high, b.high)};
    return {op == Op::Or ? std::max(a.low, b.low) : mpz_class(0), ones(bits)};
  }
  if (op == Op::And && !a.needs_sign()) return {0, a.high};
  if (op == Op::And && !b.needs_sign()) return {0, b.high};
  // A non-negative side counts without a sign bit: one more is needed beside a signed one.
  const unsigned with_sign = std::max(a.bits() + !a.needs_sign(), b.bits() + !b.needs_sign());
  const mpz_class half = mpz_class(1) << (with_sign - 1);
  if (op == Op::Or && a.high < 0 && b.high < 0) return {-half, -1};
  return {-half, half - 1};
}

Interval shift(Op op, const Interval& a, const Interval& count, Location at) {
  if (count.low < 0)
    throw Refusal{at, fmt::format("the amount of a shift may be negative: {} or more", count.low.get_str())};
  if (op == Op::Shr) {
    const mpz_class most = std::min(count.high, mpz_class(ir::widest_shift)),
                    least = std::min(count.low, mpz_class(ir::widest_shift));
    const auto at_count = [&](const mpz_class& v, const mpz_class& c) { return ir::compute(Op::Shr, v, c); };
    return hull(
        {at_count(a.low, least), at_count(a.low, most), at_count(a.high, least), at_count(a.high, most)});
  }
  if (count.high > 128)
    throw Refusal{at, fmt::format("shifted left by up to {}: no value may need more than 128 bits; bound the "
                                  "amount with min() or a slice",
                                  count.high.get_str())};
  return hull({a.low << count.low.get_ui(), a.low << count.high.get_ui(), a.high << count.low.get_ui(),
               a.high << count.high.get_ui()});
}

Interval divide(const Interval& a, const Interval& b) {
  if (b.low > 0) return hull({a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high});
  const mpz_class most = std::max(abs(a.low), abs(a.high));
  if (!a.needs_sign() && !b.needs_sign()) return {0, most};
  return {-most, most};
}

Interval remainder(const Interval& a, const Interval& b) {
  const mpz_class below = std::max(mpz_class(0), mpz_class(std::max(abs(b.low), abs(b.high)) - 1));
  return {a.low < 0 ? std::max(a.low, mpz_class(-below)) : mpz_class(0),
          a.high > 0 ? std::min(a.high, below) : mpz_class(0)};
}

Interval result_range(Op op, const Interval& a, const Interval& b, Location at) {
  switch (op) {
    case Op::Add:
      return {a.low + b.low, a.high + b.high};
    case Op::Sub:
      return {a.low - b.high, a.high - b.low};
    case Op::Mul:
      return hull({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
    case Op::Div:
      return divide(a, b);
    case Op::Rem:
      return remainder(a, b);
    case Op::Min:
      return {std::min(a.low, b.low), std::min(a.high, b.high)};
    case Op::Max:
      return {std::max(a.low, b.low), std::max(a.high, b.high)};
    case Op::Shl:
    case Op::Shr:
      return shift(op, a, b, at);
    default:
      return bitwise(op, a, b);
  }
}

// The one width limit of the language: 128 bits, and a sign.
void check_width(const Interval& range, Location at) {
  const mpz_class limit = mpz_class(1) << 128;
  if (range.low < -limit || range.high >= limit)
    throw Refusal{at, fmt::format("this may need {} bits; no value may need more than 128", range.bits())};
}

ExprPtr with_range(Op op, ir::Type type, std::vector<ExprPtr> args, Interval range, Location at) {
  check_width(range, at);
  ir::Expr e{};
  e.op = op;
  e.type = type;
  e.args = std::move(args);
  e.range = std::move(range);
  e.at = at;
  return std::make_shared<const ir::Expr>(std::move(e));
}

// x + 0, 0 | x, x * 1 …: what unrolled loops leave behind. Null if the operation changes something.
ExprPtr unchanged(Op op, const ExprPtr& a, const ExprPtr& b) {
  const auto is = [](const ExprPtr& e, int value) { return is_constant(e) && e->constant == value; };
  const bool either = op == Op::Add || op == Op::Or || op == Op::Xor;
  if (is(b, 0) && (either || op == Op::Sub || op == Op::Shl || op == Op::Shr)) return a;
  if (is(a, 0) && either) return b;
  if (op == Op::Mul) return is(a, 1) ? b : is(b, 1) ? a : nullptr;
  return nullptr;
}

}  // namespace

ExprPtr integer(Op op, const ExprPtr& a, const ExprPtr& b, Location at) {
  want_integer(a, "the left side");
  want_integer(b, "the right side");
  Interval range = result_range(op, a->range, b->range, at);
  if (is_constant(a) && is_constant(b)) {
    const mpz_class count = op == Op::Shr ? std::min(b->constant, mpz_class(ir::widest_shift)) : b->constant;
    const mpz_class value = ir::compute(op, a->constant, count);
    check_width({value, value}, at);
    return constant(value, at);
  }
  if (const ExprPtr same = unchanged(op, a, b)) return same;
  // Bits of one width stay bits of that width, so that ++ knows it.
  ir::Type type = exact_type();
  if ((op == Op::And || op == Op::Or || op == Op::Xor) && a->type.is_bits && a->type == b->type)
    type = a->type;
  return with_range(op, type, {a, b}, std::move(range), at);
}

ExprPtr integer(Op op, const ExprPtr& a, Location at) {
  want_integer(a, "the operand");
  const Interval& r = a->range;
  if ((op == Op::PopCount || op == Op::HighestBit) && r.needs_sign())
    throw Refusal{at,
                  fmt::format("{} of a number that may be negative; take its bits with a slice or unsigned",
                              op == Op::PopCount ? "popcount" : "highest_bit")};
  if (is_constant(a)) return constant(ir::compute(op, a->constant), at);
  Interval range;
  switch (op) {
    case Op::Neg:
      range = {-r.high, -r.low};
      break;
    case Op::Not:
      range = {-r.high - 1, -r.low - 1};
      break;
    case Op::Abs:
      range = {r.low > 0    ? r.low
               : r.high < 0 ? mpz_class(-r.high)
                            : mpz_class(0),
               std::max(abs(r.low), abs(r.high))};
      break;
    case Op::PopCount:
      range = {0, r.bits()};
      break;
    default:
      range = {r.low == 0 ? mpz_class(-1) : ir::compute(op, r.low), ir::compute(op, r.high)};
      break;
  }
  return with_range(op, exact_type(), {a}, std::move(range), at);
}

namespace {
void want_view(const ir::Type& type, const char* what, Location at) {
  if (type.kind != ir::Kind::Integer || type.width == 0 || type.parts > 1)
    throw Refusal{at, fmt::format("{} needs an integer type, not {}", what, type.name())};
}
}  // namespace

ExprPtr wrap(const ir::Type& type, const ExprPtr& x, Location at) {
  want_view(type, "wrap", at);
  want_integer(x, "what is wrapped");
  if (is_constant(x)) return constant(ir::wrap_to(x->constant, type), type, at);
  const Interval full = ir::range_of(type);
  return with_range(Op::Wrap, type, {x}, full.contains(x->range) ? x->range : full, at);
}

ExprPtr clamp(const ir::Type& type, const ExprPtr& x, Location at) {
  want_view(type, "clamp", at);
  if (x->op == Op::Integral) return with_range(Op::Clamp, type, {x}, ir::range_of(type), at);
  want_integer(x, "what is clamped");
  if (is_constant(x)) return constant(ir::clamp_to(x->constant, type), type, at);
  return with_range(Op::Clamp, type, {x},
                    {ir::clamp_to(x->range.low, type), ir::clamp_to(x->range.high, type)}, at);
}

ExprPtr slice(const ExprPtr& x, const mpz_class& high, const mpz_class& low, Location at) {
  want_integer(x, "what is sliced");
  if (low < 0 || high < low || high > 255)
    throw Refusal{
        at, fmt::format("[{}:{}] is not a slice: the high bit comes first", high.get_str(), low.get_str())};
  const auto h = static_cast<unsigned>(high.get_ui()), l = static_cast<unsigned>(low.get_ui());
  const ir::Type type = integer_type(h - l + 1, false, true);
  if (is_constant(x)) return constant(ir::slice_bits(x->constant, h, l), type, at);
  Interval range{0, ones(h - l + 1)};
  if (!x->range.needs_sign() && x->range.bits() <= h + 1) range.high = x->range.high >> l;
  ir::Expr e{};
  e.op = Op::Slice;
  e.type = type;
  e.args = {x};
  e.range = std::move(range);
  e.high = h;
  e.low = l;
  e.at = at;
  check_width(e.range, at);
  return std::make_shared<const ir::Expr>(std::move(e));
}

ExprPtr bit(const ExprPtr& x, const ExprPtr& i, Location at) {
  want_integer(x, "what a bit is taken of");
  want_integer(i, "the number of a bit");
  ExprPtr one;
  if (is_constant(i))
    one = slice(x, i->constant, i->constant, at);
  else
    one = slice(integer(Op::Shr, x, i, at), 0, 0, at);
  if (is_constant(one)) return truth(one->constant != 0, at);
  return node(Op::ToPred, pred_type(), {one}, at);
}

ExprPtr reverse(const ir::Type& type, const ExprPtr& x, Location at) {
  want_view(type, "reverse", at);
  want_integer(x, "what is reversed");
  if (is_constant(x)) return constant(ir::reverse_bits(x->constant, type.width), at);
  ir::Expr e{};
  e.op = Op::Reverse;
  e.type = integer_type(type.width, false, true);
  e.args = {x};
  e.range = ir::range_of(e.type);
  e.high = type.width - 1;
  e.at = at;
  return std::make_shared<const ir::Expr>(std::move(e));
}

ExprPtr concatenate(const ExprPtr& high, const ExprPtr& low, Location at) {
  for (const ExprPtr& side : {high, low}) {
    want_integer(side, "a side of ++");
    if (side->type.width == 0 || side->type.is_signed)
      throw Refusal{side->at,
                    "++ needs a number of known width: a slice, wrap.b32(…) or an unsigned operand"};
  }
  const unsigned width = high->type.width + low->type.width;
  const ExprPtr shifted = integer(Op::Shl, high, constant(low->type.width, at), at);
  const ExprPtr joined = integer(Op::Or, shifted, low, at);
  if (is_constant(joined)) return constant(joined->constant, integer_type(width, false, true), at);
  return with_range(Op::Or, integer_type(width, false, true), joined->args, joined->range, at);
}

ExprPtr table(const std::string& name, const std::vector<mpz_class>& values, const ExprPtr& index,
              Location at) {
  want_integer(index, "the place in a table");
  if (index->range.low < 0 || index->range.high >= values.size())
    throw Refusal{at, fmt::format("{} has {} values, but the place may lie in {}..{}", name, values.size(),
                                  index->range.low.get_str(), index->range.high.get_str())};
  if (is_constant(index)) return constant(values[index->constant.get_ui()], at);
  ir::Expr e{};
  e.op = Op::Table;
  e.type = exact_type();
  e.args = {index};
  e.range = {*std::min_element(values.begin(), values.end()),
             *std::max_element(values.begin(), values.end())};
  e.name = name;
  e.at = at;
  return std::make_shared<const ir::Expr>(std::move(e));
}

ExprPtr to_float(const ir::Type& type, const ExprPtr& x, Location at) {
  if (type.kind != ir::Kind::Float || type.parts > 1)
    throw Refusal{at, fmt::format("as needs a float type, not {}", type.name())};
  want_integer(x, "a pattern");
  if (is_constant(x)) return constant(ir::slice_bits(x->constant, type.width - 1, 0), type, at);
  return node(Op::ToFloat, type, {x}, at);
}

ExprPtr bits_of(const ExprPtr& x, Location at) {
  if (x->type.kind != ir::Kind::Float && x->type.kind != ir::Kind::Pred)
    throw Refusal{at, fmt::format("this must be a float or a truth value, but it is {}", x->type.name())};
  const ir::Type type = integer_type(x->type.width, false, true);
  if (is_constant(x)) return constant(x->constant, type, at);
  return node(Op::ToInteger, type, {x}, at);
}

}  // namespace semcc::check::build
