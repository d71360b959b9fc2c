// Built-in functions on floats and reals.
#include <fmt/format.h>

#include "semcc/check/body/body.h"

namespace semcc::check {

using ir::Op;

ir::Rounding Evaluator::rounding(const front::Expr& e) {
  static const std::map<std::string, ir::Rounding> modes{
      {"", ir::Rounding::rn},     {"rn", ir::Rounding::rn},   {"rz", ir::Rounding::rz},
      {"rm", ir::Rounding::rm},   {"rp", ir::Rounding::rp},   {"rna", ir::Rounding::rna},
      {"rni", ir::Rounding::rni}, {"rzi", ir::Rounding::rzi}, {"rmi", ir::Rounding::rmi},
      {"rpi", ir::Rounding::rpi}};
  const std::string mode = word(e);
  const auto found = modes.find(mode);
  if (found == modes.end()) throw Refusal{e.at, fmt::format("{} is not a rounding", mode)};
  return found->second;
}

bool Evaluator::call_float(const Callee& c, const front::Expr& e, Value& result) {
  const auto arg = [&](std::size_t i) { return number(*e.args[i + 1]); };
  const auto give = [&](ir::ExprPtr x) {
    result = Value::number(std::move(x));
    return true;
  };

  static const std::map<std::string, Op> changes{{"flush", Op::Flush},
                                                 {"canonical", Op::Canonical},
                                                 {"unit_clamp", Op::UnitClamp},
                                                 {"negate", Op::FloatNegate},
                                                 {"absolute", Op::FloatAbs}};
  if (const auto op = changes.find(c.name); op != changes.end()) {
    want_args(c, e, 0, 1);
    return give(build::float_to_float(op->second, arg(0), e.at));
  }
  static const std::map<std::string, Op> tests{{"is_nan", Op::IsNan},       {"is_inf", Op::IsInfinite},
                                               {"is_zero", Op::IsZero},     {"is_subnormal", Op::IsSubnormal},
                                               {"is_normal", Op::IsNormal}, {"sign", Op::SignBit}};
  if (const auto op = tests.find(c.name); op != tests.end()) {
    want_args(c, e, 0, 1);
    return give(build::float_test(op->second, arg(0), e.at));
  }
  static const std::map<std::string, Op> compares{
      {"equal", Op::FloatEqual}, {"less", Op::FloatLess}, {"less_equal", Op::FloatLessEqual}};
  if (const auto op = compares.find(c.name); op != compares.end()) {
    want_args(c, e, 0, 2);
    return give(build::float_test(op->second, arg(0), arg(1), e.at));
  }
  if (c.name == "copysign") {
    want_args(c, e, 0, 2);
    return give(build::float_to_float(Op::CopySign, arg(0), arg(1), e.at));
  }
  if (c.name == "exact") {
    want_args(c, e, 0, 1);
    return give(build::exact(arg(0), e.at));
  }
  if (c.name == "sqrt") {
    want_args(c, e, 0, 1);
    return give(build::square_root(arg(0), e.at));
  }
  if (c.name == "round") {
    want_args(c, e, 1, 2);
    return give(build::round(suffix_type(c, 0), arg(0), rounding(*e.args[2]), e.at));
  }
  if (c.name == "integral") {
    want_args(c, e, 0, 2);
    const ir::Rounding mode = rounding(*e.args[2]);
    if (mode < ir::Rounding::rni)
      throw Refusal{e.args[2]->at, "a rounding to an integral value is rni, rzi, rmi or rpi"};
    return give(build::integral(arg(0), mode, e.at));
  }
  return false;
}

}  // namespace semcc::check
