// Exact integers on machine words.
#include <fmt/format.h>

#include "semcc/emit/executors/executors.h"
#include "semcc/emit/executors/expr.h"
#include "semcc/emit/executors/plan.h"

namespace semcc::emit {

using ir::Expr;
using ir::Kind;
using ir::Op;

namespace {

// Operations whose low bits depend only on the low bits of their arguments.
bool keeps_congruence(Op op) {
  switch (op) {
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Neg:
    case Op::And:
    case Op::Or:
    case Op::Xor:
    case Op::Not:
    case Op::Shl:
      return true;
    default:
      return false;
  }
}

Machine machine_of(const Expr& expr) { return machine_for(expr.range, expr.at); }

}  // namespace

Code seen_as(const std::string& text, Machine from, Machine to) {
  if (from == to) return {text, to};
  const bool same_bits = from.width == to.width && to.is_signed;
  return {fmt::format("{}({})", to.name(), text), to, same_bits ? text : "", to.width};
}

std::string ExprWriter::convert(const Code& code, Machine machine) {
  if (machine.width == 128) wide = true;
  if (!code.pattern.empty() && machine == Machine{false, code.pattern_width}) return code.pattern;
  return code.machine == machine ? code.text : fmt::format("{}({})", machine.name(), code.text);
}

std::string ExprWriter::modulo(const Expr& expr, unsigned width) {
  const Machine machine{false, width};
  // Exact where that takes no wider word; what exactly needs even more than 128 bits may still have the low
  // ones asked for.
  const unsigned bits = expr.range.bits();
  const bool narrower = bits <= width / 2 && width > 32;
  if (narrower || (bits <= width && !keeps_congruence(expr.op))) return convert(exact(expr), machine);
  return shared(expr, machine.name(), [&] { return Code{modulo_operation(expr, width), machine}; }).text;
}

std::string ExprWriter::modulo_operation(const Expr& expr, unsigned width) {
  const Machine machine{false, width};
  const auto arg = [&](int i) { return modulo(*expr.args[i], width); };
  if (width == 128) wide = true;
  switch (expr.op) {
    case Op::Constant:
      return literal(expr.constant, machine);
    case Op::Add:
      return fmt::format("({} + {})", arg(0), arg(1));
    case Op::Sub:
      return fmt::format("({} - {})", arg(0), arg(1));
    case Op::Mul:
      return fmt::format("({} * {})", arg(0), arg(1));
    case Op::And:
      return fmt::format("({} & {})", arg(0), arg(1));
    case Op::Or:
      return fmt::format("({} | {})", arg(0), arg(1));
    case Op::Xor:
      return fmt::format("({} ^ {})", arg(0), arg(1));
    case Op::Neg:
      return fmt::format("({}(0) - {})", machine.name(), arg(0));
    case Op::Not:
      return fmt::format("(~{})", arg(0));
    case Op::Shl: {
      const ir::Interval& by = expr.args[1]->range;
      if (by.low < 0) throw Error(expr.at, "the amount of a shift may be negative");
      if (by.high < width) return fmt::format("({} << {})", arg(0), modulo(*expr.args[1], 32));
      return fmt::format("shift_left({}, u64({}))", arg(0), exact(*expr.args[1]).text);
    }
    case Op::Select:
      return fmt::format("({} ? {} : {})", pred(expr.args[0]), arg(1), arg(2));
    case Op::Div: {
      // The one quotient that needs a bit more than its operands, the least value by -1, wraps.
      const Machine operands = machine_for(hull(expr.args[0]->range, expr.args[1]->range), expr.at);
      if (operands.width > 32 && operands.width <= width)
        return convert({in_common("quotient({}, {})", expr), operands}, machine);
      break;
    }
    case Op::Wrap:
      if (expr.type.width >= width) return arg(0);
      break;
    case Op::Slice:
      if (expr.low == 0 && expr.high + 1 >= width) return arg(0);
      break;
    default:
      break;
  }
  return convert(exact(expr), machine);
}

Code ExprWriter::exact(const Expr& expr) {
  if (expr.op == Op::Local) return locals_.at(expr.index);
  return shared(expr, "exact", [&] { return exact_operation(expr); });
}

// The low `width` bits of arg, as a value of that width.
Code ExprWriter::wrapped(const Expr& arg, unsigned width, bool is_signed) {
  const Machine machine{is_signed, word_for(width, arg.at)};
  const std::string low = modulo(arg, machine.width);
  if (width == machine.width) return seen_as(low, {false, width}, machine);
  if (is_signed) return {fmt::format("sign_extend<{}>({})", width, low), machine};
  const mpz_class mask = (mpz_class(1) << width) - 1;
  return {fmt::format("({} & {})", low, literal(mask, machine)), machine};
}

Code ExprWriter::slice(const Expr& expr) {
  const unsigned width = expr.high - expr.low + 1;
  if (expr.low == 0) return wrapped(*expr.args[0], width, false);
  const Machine from{false, word_for(expr.high + 1, expr.at)}, to{false, word_for(width, expr.at)};
  const std::string shifted = fmt::format("({} >> {})", modulo(*expr.args[0], from.width), expr.low);
  const std::string narrow = convert({shifted, from}, to);
  if (expr.high + 1 == from.width || width == to.width) return {narrow, to};
  return {fmt::format("({} & {})", narrow, literal((mpz_class(1) << width) - 1, to)), to};
}

Code ExprWriter::division(const Expr& expr) {
  const Expr& divisor = *expr.args[1];
  // By a constant the machine's own unsigned division is exact.
  if (divisor.op == Op::Constant && divisor.constant > 0 && expr.args[0]->range.low >= 0) {
    const Machine word = machine_for(hull(expr.args[0]->range, divisor.range), expr.at);
    const std::string text = fmt::format("({} {} {})", convert(exact(*expr.args[0]), word),
                                         expr.op == Op::Div ? "/" : "%", literal(divisor.constant, word));
    return {convert({text, word}, machine_of(expr)), machine_of(expr)};
  }
  const char* name = expr.op == Op::Div ? "quotient" : "remainder";
  const ir::Interval operands = hull(expr.args[0]->range, expr.args[1]->range);
  const Machine machine = machine_for(hull(operands, expr.range), expr.at);
  const bool in_double = machine_for(operands, expr.at).width == 32;
  const Machine word = in_double ? Machine{true, 64} : machine;
  const std::string text =
      fmt::format("{}{}({}, {})", name, in_double ? "32" : "", convert(exact(*expr.args[0]), word),
                  convert(exact(*expr.args[1]), word));
  return {convert({text, word}, machine_of(expr)), machine_of(expr)};
}

Code ExprWriter::clamped(const Expr& expr) {
  const Machine result = machine_of(expr);
  if (expr.args[0]->op == Op::Integral) {
    const Expr& integral = *expr.args[0];
    const Expr& source = *integral.args[0];
    if (source.op != Op::Exact) throw Error(expr.at, "integral() of anything but exact(x) has no executor");
    static constexpr const char* modes[] = {"rni", "rzi", "rmi", "rpi"};
    const int mode = static_cast<int>(integral.rounding) - static_cast<int>(ir::Rounding::rni);
    if (mode < 0 || mode > 3) throw Error(expr.at, "integral() without an integral rounding mode");
    const Machine narrow{expr.type.is_signed, expr.type.width};
    const std::string text = fmt::format("clamp_to<{}>(integral<IntegralMode::{}>({}))", narrow.name(),
                                         modes[mode], real(source, false));
    return seen_as(text, narrow, result);
  }
  const Code arg = exact(*expr.args[0]);
  const ir::Interval bounds = ir::range_of(expr.type);
  const ir::Interval& from = expr.args[0]->range;
  std::string text = arg.text;
  if (bounds.contains(from)) return arg;
  if (from.low < bounds.low && bounds.high < from.high)
    text = fmt::format("bounded({}, {}, {})", text, literal(bounds.low, arg.machine),
                       literal(bounds.high, arg.machine));
  else if (from.low < bounds.low)
    text = fmt::format("greatest({}, {})", text, literal(bounds.low, arg.machine));
  else
    text = fmt::format("least({}, {})", text, literal(bounds.high, arg.machine));
  return seen_as(text, arg.machine, result);
}

Code ExprWriter::exact_operation(const Expr& expr) {
  const Machine machine = machine_of(expr);
  if (machine.width == 128) wide = true;
  if (keeps_congruence(expr.op))
    return seen_as(modulo_operation(expr, machine.width), {false, machine.width}, machine);
  switch (expr.op) {
    case Op::Constant:
      return {literal(expr.constant, machine), machine};
    case Op::Unspecified:
      return {literal(0, machine), machine};
    case Op::Operand: {
      const ir::Operand& o = form_.operands[expr.index];
      const int part_index = place_of(o, expr.part).part;
      const unsigned width = part_index >= 0 ? o.type.width : o.type.bits();
      const std::string word = operand_word(expr);
      const std::string part =
          part_index > 0 ? fmt::format("({} >> {})", word, part_index * o.type.width) : word;
      if (o.kind == ir::OperandKind::Address) return {word, {false, 64}};
      const bool is_signed = expr.type.is_signed;
      const Machine word_machine{is_signed, word_for(width, expr.at)};
      if (word_machine.width == 128) wide = true;
      const bool whole = part_index < 0 || o.type.parts == 1;
      if (whole && width >= 32) return seen_as(word, {false, width}, word_machine);
      const std::string view = fmt::format("{}{}({})", is_signed ? "s" : "u", width, part);
      return {width < 32 ? fmt::format("{}({})", word_machine.name(), view) : view, word_machine,
              whole ? word : "", width};
    }
    case Op::Lane:
      return {"lane", {false, 32}};
    case Op::BoundLane:
      return {"bound", {false, 32}};
    case Op::BoundIndex:
      return {fmt::format("place{}", expr.index), {false, 32}};
    case Op::Element:
      return {fmt::format("{}({})", machine.name(), element(expr)), machine};
    case Op::ActiveMask:
      return {"mask", {false, 32}};
    case Op::PredMask:
      return {row(expr.index, 0) + "[0]", {false, 32}};
    case Op::Special:
      specials.insert(expr.name);
      return {convert({identifier(expr.name), {false, 64}}, machine), machine};
    case Op::Div:
    case Op::Rem:
      return division(expr);
    case Op::Shr: {
      if (expr.args[1]->range.low < 0) throw Error(expr.at, "the amount of a shift may be negative");
      const Code arg = exact(*expr.args[0]);
      const bool small = expr.args[1]->range.high < arg.machine.width;
      const std::string by = exact(*expr.args[1]).text;
      const std::string text = small ? fmt::format("({} >> {})", arg.text, by)
                                     : fmt::format("shift_right({}, u64({}))", arg.text, by);
      return {convert({text, arg.machine}, machine), machine};
    }
    case Op::Min:
    case Op::Max: {
      const Machine common = machine_for(hull(expr.args[0]->range, expr.args[1]->range), expr.at);
      return {convert({in_common(expr.op == Op::Min ? "least({}, {})" : "greatest({}, {})", expr), common},
                      machine),
              machine};
    }
    case Op::Abs: {
      const Code arg = exact(*expr.args[0]);
      if (!arg.machine.is_signed) return arg;
      const Machine magnitude{false, arg.machine.width};
      const std::string text =
          fmt::format("({0} < 0 ? {1}(0) - {1}({0}) : {1}({0}))", arg.text, magnitude.name());
      return {convert({text, magnitude}, machine), machine};
    }
    case Op::PopCount:
    case Op::HighestBit: {
      if (expr.args[0]->range.low < 0)
        throw Error(expr.at, "bits of a value that may be negative cannot be counted");
      const std::string arg = modulo(*expr.args[0], machine_of(*expr.args[0]).width);
      const Machine counted{true, 32};
      return {
          convert({fmt::format("{}({})", expr.op == Op::PopCount ? "popcount" : "highest_bit", arg), counted},
                  machine),
          machine};
    }
    case Op::Reverse: {
      const unsigned width = expr.high + 1, word = word_for(width, expr.at);
      if (word > 64) throw Error(expr.at, "reverse of more than 64 bits has no executor");
      const std::string reversed = fmt::format("reverse({})", modulo(*expr.args[0], word));
      const Machine from{false, word};
      return {convert({width == word ? reversed : fmt::format("({} >> {})", reversed, word - width), from},
                      machine),
              machine};
    }
    case Op::Table:
      tables.insert(expr.name);
      return {fmt::format("{}({}[{}])", machine.name(), identifier(expr.name), exact(*expr.args[0]).text),
              machine};
    case Op::Wrap:
      return wrapped(*expr.args[0], expr.type.width, expr.type.is_signed);
    case Op::Slice:
      return slice(expr);
    case Op::Clamp:
      return clamped(expr);
    case Op::ToInteger: {
      const Expr& arg = *expr.args[0];
      if (arg.type.kind == Kind::Pred) return {fmt::format("u32({})", pred(expr.args[0])), {false, 32}};
      const Machine word{false, word_for(arg.type.width, expr.at)};
      const std::string text = pattern(expr.args[0]);
      return {arg.type.width < 32 ? fmt::format("u32({})", text) : text, word};
    }
    case Op::Select: {
      const std::string chosen = pred(expr.args[0]);
      return {fmt::format("({} ? {} : {})", chosen, convert(exact(*expr.args[1]), machine),
                          convert(exact(*expr.args[2]), machine)),
              machine};
    }
    case Op::Ballot:
    case Op::Reduce: {
      const Machine counted = expr.op == Op::Ballot ? Machine{false, 32} : machine;
      return {over_lanes(expr), counted};
    }
    default:
      throw Error(expr.at, fmt::format("operation {} gives no integer", static_cast<int>(expr.op)));
  }
}

}  // namespace semcc::emit
