#include "semcc/check/machine/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

namespace semcc::check {
namespace {

using front::Expr;
using front::Refusal;
using ir::MachineValue;
using ir::MachineValuePtr;

MachineValuePtr number(std::uint64_t value) {
  return std::make_shared<MachineValue>(MachineValue{MachineValue::What::Number, value, {}, 0, {}});
}

// What LANGUAGE.md says: all in 64 bits, which wrap; by zero is 0; a shift takes the low six bits of its
// amount.
using Operation = std::uint64_t (*)(std::uint64_t, std::uint64_t);
const std::map<std::string, Operation, std::less<>> operations = {
    {"+", [](std::uint64_t a, std::uint64_t b) { return a + b; }},
    {"-", [](std::uint64_t a, std::uint64_t b) { return a - b; }},
    {"*", [](std::uint64_t a, std::uint64_t b) { return a * b; }},
    {"/", [](std::uint64_t a, std::uint64_t b) { return b == 0 ? 0 : a / b; }},
    {"%", [](std::uint64_t a, std::uint64_t b) { return b == 0 ? 0 : a % b; }},
    {"<<", [](std::uint64_t a, std::uint64_t b) { return a << (b & 63); }},
    {">>", [](std::uint64_t a, std::uint64_t b) { return a >> (b & 63); }},
    {"&", [](std::uint64_t a, std::uint64_t b) { return a & b; }},
    {"|", [](std::uint64_t a, std::uint64_t b) { return a | b; }},
    {"^", [](std::uint64_t a, std::uint64_t b) { return a ^ b; }},
    {">", [](std::uint64_t a, std::uint64_t b) { return std::uint64_t{a > b}; }},
    {"<", [](std::uint64_t a, std::uint64_t b) { return std::uint64_t{a < b}; }},
    {"==", [](std::uint64_t a, std::uint64_t b) { return std::uint64_t{a == b}; }},
    {"!=", [](std::uint64_t a, std::uint64_t b) { return std::uint64_t{a != b}; }}};

const ir::Source& source_named(const Expr& name, const ir::Program& program) {
  const auto found = std::ranges::find(program.sources, name.text, &ir::Source::name);
  if (found == program.sources.end())
    throw Refusal{name.at, fmt::format("no source is called {}", name.text)};
  return *found;
}

MachineValuePtr read(const ir::Source& source, unsigned component) {
  return std::make_shared<MachineValue>(
      MachineValue{MachineValue::What::Source, 0, source.name, component, {}});
}

std::uint64_t limit_named(const Expr& member, const ir::Program& program) {
  for (const ir::Device& device : program.devices)
    for (const ir::Limit& limit : device.limits)
      if (limit.name == member.text && limit.values.size() == 1) return limit.values.front();
  throw Refusal{member.at, fmt::format("no device has the single limit {}", member.text)};
}

MachineValuePtr member(const Expr& expr, const ir::Program& program) {
  const Expr& of = *expr.args[0];
  if (of.what != Expr::What::Name) throw Refusal{expr.at, "only a source or the device has members"};
  if (of.text == "device") return number(limit_named(expr, program));
  const ir::Source& source = source_named(of, program);
  const std::size_t component = std::string("xyz").find(expr.text);
  if (expr.text.size() != 1 || component >= source.count)
    throw Refusal{expr.at, fmt::format("{} has no component {}", source.name, expr.text)};
  return read(source, static_cast<unsigned>(component));
}

MachineValuePtr apply(const Expr& expr, std::vector<MachineValuePtr> args) {
  const bool is_unary = expr.what == Expr::What::Unary;
  const auto known = is_unary ? operations.end() : operations.find(expr.text);
  if (is_unary ? expr.text != "~" : known == operations.end())
    throw Refusal{expr.at, fmt::format("{} is not for values of the machine", expr.text)};
  const bool is_constant = std::ranges::all_of(
      args, [](const MachineValuePtr& arg) { return arg->what == MachineValue::What::Number; });
  if (is_constant)
    return number(is_unary ? ~args[0]->number : known->second(args[0]->number, args[1]->number));
  return std::make_shared<MachineValue>(MachineValue{
      is_unary ? MachineValue::What::Unary : MachineValue::What::Binary, 0, expr.text, 0, std::move(args)});
}

}  // namespace

MachineValuePtr machine_value(const front::ExprPtr& expr, const ir::Program& program, unsigned component) {
  switch (expr->what) {
    case Expr::What::Number:
      if (expr->number >= mpz_class(1) << 64) throw Refusal{expr->at, "the number needs more than 64 bits"};
      return number(expr->number.get_ui());
    case Expr::What::Name: {
      const ir::Source& source = source_named(*expr, program);
      if (source.count > 1 && component >= source.count)
        throw Refusal{expr->at,
                      fmt::format("{} has {} components: write .x, .y or .z", source.name, source.count)};
      return read(source, source.count > 1 ? component : 0);
    }
    case Expr::What::Member:
      return member(*expr, program);
    case Expr::What::Unary:
    case Expr::What::Binary: {
      std::vector<MachineValuePtr> args;
      for (const front::ExprPtr& arg : expr->args) args.push_back(machine_value(arg, program, component));
      return apply(*expr, std::move(args));
    }
    default:
      throw Refusal{expr->at,
                    "a value of the machine is made of numbers, sources, device.LIMIT and operators"};
  }
}

std::uint64_t constant_value(const front::ExprPtr& expr, const ir::Program& program) {
  const MachineValuePtr value = machine_value(expr, program, 0);
  if (value->what != MachineValue::What::Number) throw Refusal{expr->at, "a limit is a number"};
  return value->number;
}

}  // namespace semcc::check
