// Built-in functions on integers and bit patterns.
#include "semcc/check/body/body.h"
#include "semcc/check/types/types.h"

namespace semcc::check {

using ir::Op;

bool Evaluator::call_integer(const Callee& c, const front::Expr& e, Value& result) {
  const auto arg = [&](std::size_t i) { return number(*e.args[i + 1]); };
  const auto give = [&](ir::ExprPtr x) {
    result = Value::number(std::move(x));
    return true;
  };

  static const std::map<std::string, Op> one{
      {"abs", Op::Abs}, {"popcount", Op::PopCount}, {"highest_bit", Op::HighestBit}};
  if (const auto op = one.find(c.name); op != one.end()) {
    want_args(c, e, 0, 1);
    return give(build::integer(op->second, arg(0), e.at));
  }
  if (c.name == "min" || c.name == "max") {
    want_args(c, e, 0, 2);
    return give(build::integer(c.name == "min" ? Op::Min : Op::Max, arg(0), arg(1), e.at));
  }
  if (c.name == "wrap" || c.name == "clamp" || c.name == "reverse") {
    want_args(c, e, 1, 1);
    const ir::Type type = suffix_type(c, 0);
    return give(c.name == "wrap"    ? build::wrap(type, arg(0), e.at)
                : c.name == "clamp" ? build::clamp(type, arg(0), e.at)
                                    : build::reverse(type, arg(0), e.at));
  }
  if (c.name == "signed" || c.name == "unsigned") {  // reinterpret the low bits
    want_args(c, e, 1, 1);
    return give(build::wrap(apply_type_function(c.name, suffix_type(c, 0), e.at), arg(0), e.at));
  }
  if (c.name == "repeat") {
    want_args(c, e, 0, 2);
    const mpz_class count = integer(*e.args[2], "how often a bit is repeated");
    if (count < 1 || count > 128) throw Refusal{e.args[2]->at, "a bit is repeated 1 to 128 times"};
    const auto width = static_cast<unsigned>(count.get_ui());
    const ir::Type type = integer_type(width, false, true);
    return give(build::select(arg(0), build::constant((mpz_class(1) << width) - 1, type, e.at),
                              build::constant(0, type, e.at), e.at));
  }
  if (c.name == "integer") {
    want_args(c, e, 0, 1);
    const ir::ExprPtr p = arg(0);
    build::want_pred(p, "what integer(…) turns to 0 or 1");
    return give(build::bits_of(p, e.at));
  }
  if (c.name == "bits") {
    want_args(c, e, 0, 1);
    const ir::ExprPtr x = arg(0);
    if (x->type.kind == ir::Kind::Integer && x->type.width > 0)  // the pattern of a signed number
      return give(build::slice(x, x->type.width - 1, 0, e.at));
    return give(build::bits_of(x, e.at));
  }
  if (c.name == "as") {
    want_args(c, e, 1, 1);
    return give(build::to_float(suffix_type(c, 0), arg(0), e.at));
  }
  return false;
}

}  // namespace semcc::check
