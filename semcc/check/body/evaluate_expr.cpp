// Operators.
#include <fmt/format.h>

#include "semcc/check/body/body.h"
#include "semcc/check/types/types.h"

namespace semcc::check {

using ir::Op;

Value Evaluator::value(const front::Expr& e) {
  switch (e.what) {
    case front::Expr::What::Number:
      return Value::number(build::constant(e.number, e.at));
    case front::Expr::What::Float:
      return Value::number(build::constant(e.number, *type_named(e.text[1] == 'f' ? "f32" : "f64"), e.at));
    case front::Expr::What::Name:
      return name(e);
    case front::Expr::What::Member:
      return member(e);
    case front::Expr::What::Call:
      return call(e);
    case front::Expr::What::Index:
      return index(e);
    case front::Expr::What::Slice:
      return slice(e);
    case front::Expr::What::Element:
      return element(e);
    case front::Expr::What::Unary:
      return unary(e);
    case front::Expr::What::Binary:
      return e.text == "in" ? contained(e) : binary(e);
    case front::Expr::What::Conditional:
      return conditional(e);
    case front::Expr::What::Set: {
      Value set{Value::What::Set};
      for (const auto& arg : e.args) set.members.push_back(value(*arg));
      return set;
    }
    case front::Expr::What::Version:
      throw Refusal{e.at, "a version may only stand in available(…)"};
    case front::Expr::What::Lambda:
      throw Refusal{e.at, "`old => new` may only stand in memory.update"};
    case front::Expr::What::PairLambda:
      throw Refusal{e.at, "`(row, column) => …` may only stand in each, memory.tile and memory.write_tile"};
    case front::Expr::What::Each:
      throw Refusal{e.at, "`i in active : …` may only stand in ballot and reduce"};
  }
  throw Refusal{e.at, "unknown expression"};
}

Value Evaluator::slice(const front::Expr& e) {
  return Value::number(build::slice(number(*e.args[0]), integer(*e.args[1], "the high bit of a slice"),
                                    integer(*e.args[2], "the low bit of a slice"), e.at));
}

Value Evaluator::index(const front::Expr& e) {
  if (e.args[0]->what == front::Expr::What::Name && !local(e.args[0]->text))
    if (const auto table = scope_->tables.find(e.args[0]->text); table != scope_->tables.end())
      return Value::number(build::table(table->first, table->second->values, number(*e.args[1]), e.at));
  const Value base = value(*e.args[0]);
  if (!base.is(Value::What::Operand) || base.element >= 0)
    throw Refusal{e.at,
                  "only tables, vectors and, in warp bodies, operands can be indexed; a bit is x.bit(i), a "
                  "field x[high:low]"};
  const ir::Operand& operand = body_->form().operands[static_cast<std::size_t>(base.index)];
  if (body_->form().level == ir::Level::Warp)
    return Value::number(body_->read(base, number(*e.args[1]), e.at));
  const mpz_class i = integer(*e.args[1], "the place in a vector");
  if (i < 0 || i >= operand.count)
    throw Refusal{e.at, fmt::format("{} has {} elements", operand.name, operand.count)};
  Value element = base;
  element.element = static_cast<int>(i.get_si());
  return element;
}

Value Evaluator::unary(const front::Expr& e) {
  const ir::ExprPtr x = number(*e.args[0]);
  if (e.text == "!") return Value::number(build::negate(x, e.at));
  if (x->type.kind == ir::Kind::Real && e.text == "-") return Value::number(build::real_negate(x, e.at));
  if (x->type.kind == ir::Kind::Float) throw Refusal{e.at, "write negate(x) for floats"};
  return Value::number(build::integer(e.text == "-" ? Op::Neg : Op::Not, x, e.at));
}

namespace {
bool is_word(const Value& v) { return v.is(Value::What::Word) || v.is(Value::What::Type); }

bool same_word(const Value& a, const Value& b, Location at) {
  if (a.what != b.what) {
    // An absent modifier equals nothing but `none`; a word never equals a type.
    if (a.is(Value::What::Word) && b.is(Value::What::Word)) return a.word == b.word;
    throw Refusal{at, "a type is compared with a modifier's word"};
  }
  return a.is(Value::What::Type) ? a.type == b.type : a.word == b.word;
}
}  // namespace

Value Evaluator::binary(const front::Expr& e) {
  const bool equality = e.text == "==" || e.text == "!=";
  const Value left = value(*e.args[0]);
  // Compile-time && and || decide before their right side must have a meaning.
  if (e.text == "&&" || e.text == "||") {
    const ir::ExprPtr a = number(left, e.args[0]->at);
    build::want_pred(a, "the left side");
    if (build::is_constant(a) && (a->constant != 0) == (e.text == "||")) return Value::number(a);
    return Value::number(build::logical(e.text, a, number(*e.args[1]), e.at));
  }
  if (equality && e.args[0]->what == front::Expr::What::Name && e.args[0]->text == "form" &&
      scope_->sets.contains(e.args[1]->text))
    throw Refusal{e.args[1]->at,
                  fmt::format("{} is a set: a form of this name cannot be asked for", e.args[1]->text)};
  const Value right = value(*e.args[1]);
  if (equality && is_word(left) && is_word(right))
    return Value::number(build::truth(same_word(left, right, e.at) == (e.text == "=="), e.at));
  if (equality &&
      (left.is(Value::What::Range) || right.is(Value::What::Range) || is_word(left) != is_word(right)))
    throw Refusal{e.at, "a value is compared with a type or a word"};
  const ir::ExprPtr a = number(left, e.args[0]->at), b = number(right, e.args[1]->at);
  static const std::map<std::string, Op> integers{
      {"+", Op::Add},  {"-", Op::Sub},  {"*", Op::Mul}, {"/", Op::Div}, {"%", Op::Rem},
      {"<<", Op::Shl}, {">>", Op::Shr}, {"&", Op::And}, {"|", Op::Or},  {"^", Op::Xor}};
  if (const auto op = integers.find(e.text); op != integers.end()) {
    const bool reals = a->type.kind == ir::Kind::Real || b->type.kind == ir::Kind::Real;
    if (reals && std::string("+-*/%").find(e.text) != std::string::npos)
      return Value::number(build::real(e.text, a, b, e.at));
    if (a->type.kind == ir::Kind::Float || b->type.kind == ir::Kind::Float)
      throw Refusal{e.at,
                    fmt::format("{} does not compute with floats: write round.T(exact(a) {} exact(b), mode)",
                                e.text, e.text)};
    return Value::number(build::integer(op->second, a, b, e.at));
  }
  if (e.text == "++") return Value::number(build::concatenate(a, b, e.at));
  if (e.text == "^^") return Value::number(build::logical(e.text, a, b, e.at));
  return Value::number(build::compare(e.text, a, b, e.at));
}

Value Evaluator::conditional(const front::Expr& e) {
  const ir::ExprPtr condition = number(*e.args[0]);
  build::want_pred(condition, "a condition");
  if (build::is_constant(condition)) return value(*e.args[condition->constant != 0 ? 1 : 2]);
  const auto side = [&](const front::Expr& chosen, const ir::ExprPtr& when) {
    const Body::Under under(body_, when);
    return number(chosen);
  };
  const ir::ExprPtr yes = side(*e.args[1], condition), no = side(*e.args[2], build::negate(condition, e.at));
  return Value::number(build::select(condition, yes, no, e.at));
}

Value Evaluator::contained(const front::Expr& e) {
  const Value set = value(*e.args[1]);
  if (set.is(Value::What::Active)) {
    const ir::ExprPtr i = number(*e.args[0]);
    build::want_integer(i, "the number of a lane");
    if (i->range.low < 0 || i->range.high > 31)
      throw Refusal{e.at, fmt::format("a lane's number is 0..31, but this may be {}..{}",
                                      i->range.low.get_str(), i->range.high.get_str())};
    return Value::number(
        build::bit(build::node(Op::ActiveMask, integer_type(32, false, true), {}, e.at), i, e.at));
  }
  const Value x = value(*e.args[0]);
  if (set.is(Value::What::Range)) {
    const ir::Interval range = ir::range_of(set.type);
    const ir::ExprPtr n = number(x, e.at);
    return Value::number(build::logical("&&", build::compare("<=", build::constant(range.low, e.at), n, e.at),
                                        build::compare("<=", n, build::constant(range.high, e.at), e.at),
                                        e.at));
  }
  if (!set.is(Value::What::Set))
    throw Refusal{e.args[1]->at, "after `in` stands a set { … }, range.T or active"};
  ir::ExprPtr found = build::truth(false, e.at);
  for (const Value& member : set.members) {
    const bool words = is_word(x) && is_word(member);
    const ir::ExprPtr same = words ? build::truth(same_word(x, member, e.at), e.at)
                                   : build::compare("==", number(x, e.at), number(member, e.at), e.at);
    found = build::logical("||", found, same, e.at);
  }
  return Value::number(found);
}

}  // namespace semcc::check
