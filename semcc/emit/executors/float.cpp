// Floats: bit operations on patterns, and roundings of exact reals by the host's arithmetic or by rounding to
// odd first.
#include <fmt/format.h>

#include "semcc/emit/executors/executors.h"
#include "semcc/emit/executors/expr.h"
#include "semcc/emit/executors/plan.h"

namespace semcc::emit {

using ir::Expr;
using ir::ExprPtr;
using ir::Format;
using ir::Op;
using ir::Rounding;

namespace {

bool host_format(Format format) { return format == Format::f32 || format == Format::f64; }

// A real that the carrier of the result holds exactly needs no rounding mode.
bool rounds_on_host(const Expr& round) {
  if (!host_format(round.type.format)) return false;
  const Expr& real = *round.args[0];
  if (real.op == Op::Integral) return false;
  if (real.op == Op::Exact)
    return round.type.format == Format::f32 && real.args[0]->type.format == Format::f64;
  if (real.op == Op::RealOfInteger) {
    const int bits = round.type.format == Format::f32 ? 24 : 53;
    const mpz_class bound = mpz_class(1) << bits;
    return real.args[0]->range.high > bound || real.args[0]->range.low < -bound;
  }
  return true;
}

std::string mode_name(Rounding rounding, ir::Location at) {
  switch (rounding) {
    case Rounding::rn:
      return "rn";
    case Rounding::rz:
      return "rz";
    case Rounding::rm:
      return "rm";
    case Rounding::rp:
      return "rp";
    case Rounding::rna:
      return "rna";
    default:
      throw Error(at, "round() without a rounding mode");
  }
}

}  // namespace

std::string format_name(Format format, ir::Location at) {
  switch (format) {
    case Format::f16:
      return "f16";
    case Format::bf16:
      return "bf16";
    case Format::tf32:
      return "tf32";
    case Format::f32:
      return "f32";
    case Format::f64:
      return "f64";
    default:
      throw Error(at, "this float format has no executors");
  }
}

Rounding host_rounding(const ir::Form& form) {
  Rounding mode = Rounding::None;
  bool to_odd = false;
  Visited visited;
  for (const ir::Stmt& statement : form.body)
    walk(statement, visited, [&](const Expr& expr) {
      if (expr.op != Op::Round) return;
      to_odd |= !host_format(expr.type.format) && expr.args[0]->op != Op::Exact;
      if (!rounds_on_host(expr)) return;
      if (expr.rounding == Rounding::rna)
        throw Error(expr.at, "f32 and f64 results cannot be rounded by rna");
      if (mode != Rounding::None && mode != expr.rounding)
        throw Error(expr.at, "one body rounds f32 or f64 results in two modes");
      mode = expr.rounding;
    });
  if (mode == Rounding::rn) mode = Rounding::None;
  if (mode != Rounding::None && to_odd)
    throw Error(form.at, "a directed f32 or f64 rounding beside arithmetic in a narrower format");
  return mode;
}

// A real as a host expression that holds it exactly, or for the outermost operation rounded by the host.
std::string ExprWriter::real(const Expr& expr, bool as_double) {
  const auto arg = [&](int i) { return real(*expr.args[i], as_double); };
  const char* suffix = as_double ? "" : "f";
  switch (expr.op) {
    case Op::Exact: {
      const Format format = expr.args[0]->type.format;
      const std::string text =
          fmt::format("{}::real({})", format_name(format, expr.at), pattern(expr.args[0]));
      return as_double && format != Format::f64 ? fmt::format("double({})", text) : text;
    }
    case Op::RealOfInteger: {
      const Code integer = exact(*expr.args[0]);
      if (integer.machine.width > 64)
        throw Error(expr.at, "an integer of more than 64 bits has no way to a float");
      return fmt::format("{}({})", as_double ? "double" : "float", integer.text);
    }
    case Op::RealAdd:
      return fmt::format("({} + {})", arg(0), arg(1));
    case Op::RealSub:
      return fmt::format("({} - {})", arg(0), arg(1));
    case Op::RealMul:
      return fmt::format("({} * {})", arg(0), arg(1));
    case Op::RealDiv:
      return fmt::format("({} / {})", arg(0), arg(1));
    case Op::RealFma:
      return fmt::format("__builtin_fma{}({}, {}, {})", suffix, arg(0), arg(1), arg(2));
    case Op::RealSqrt:
      return fmt::format("__builtin_sqrt{}({})", suffix, arg(0));
    default:
      throw Error(expr.at, "not an admissible real");
  }
}

// A real of narrow operands, rounded to odd: a float if they are all f16, else a double.
std::string ExprWriter::real_to_odd(const Expr& expr, Rounding rounding) {
  bool as_double = false;
  for (const ExprPtr& arg : expr.args) {
    if (arg->op != Op::Exact) continue;
    if (arg->args[0]->type.format == Format::f64)
      throw Error(expr.at, "arithmetic on f64 rounded once to a narrow format has no executor");
    as_double |= arg->args[0]->type.format != Format::f16;
  }
  const auto arg = [&](int i) { return real(*expr.args[i], as_double); };
  // The sign of a sum that is exactly zero depends on the mode.
  const char* down = rounding == Rounding::rm ? "_down" : "";
  switch (expr.op) {
    case Op::RealOfInteger: {
      const Code integer = exact(*expr.args[0]);
      const Machine word{integer.machine.is_signed, 64};
      if (integer.machine.width > 64)
        throw Error(expr.at, "an integer of more than 64 bits has no way to a float");
      return fmt::format("odd::of_{}({})", word.is_signed ? "signed" : "unsigned", convert(integer, word));
    }
    case Op::RealAdd:
      return fmt::format("odd::add{}({}, {})", down, arg(0), arg(1));
    case Op::RealSub:
      return fmt::format("odd::subtract{}({}, {})", down, arg(0), arg(1));
    case Op::RealMul:
      return fmt::format("odd::multiply({}, {})", arg(0), arg(1));
    case Op::RealDiv:
      return fmt::format("odd::divide({}, {})", arg(0), arg(1));
    case Op::RealFma:
      return fmt::format("odd::fused{}({}, {}, {})", down, arg(0), arg(1), arg(2));
    case Op::RealSqrt:
      return fmt::format("odd::root({})", arg(0));
    default:
      throw Error(expr.at, "not an admissible real");
  }
}

// One operation on operands of the result's own narrow format, to nearest; empty if it is something else.
std::string ExprWriter::narrow_arithmetic(const Expr& expr) {
  const Expr& real = *expr.args[0];
  const char* name = real.op == Op::RealAdd   ? "sum"
                     : real.op == Op::RealSub ? "difference"
                     : real.op == Op::RealMul ? "product"
                     : real.op == Op::RealFma ? "fused"
                                              : nullptr;
  const Format format = expr.type.format;
  if (name == nullptr || expr.rounding != Rounding::rn || (format != Format::f16 && format != Format::bf16))
    return {};
  std::string arguments;
  for (const ExprPtr& arg : real.args) {
    if (arg->op != Op::Exact || arg->args[0]->type.format != format) return {};
    arguments += (arguments.empty() ? "" : ", ") + pattern(arg->args[0]);
  }
  return fmt::format("{}<{}>({})", name, format_name(format, expr.at), arguments);
}

std::string ExprWriter::rounded(const Expr& expr) {
  const Format format = expr.type.format;
  const std::string to = format_name(format, expr.at);
  const Expr& source = *expr.args[0];
  // integral(exact(x)): its sign of zero is x's, as the host's rounding to integral has it.
  const bool integral = source.op == Op::Integral;
  const Expr& inner = integral ? *source.args[0] : source;
  static constexpr const char* integral_modes[] = {"rni", "rzi", "rmi", "rpi"};
  const auto made_integral = [&](const std::string& text) {
    if (!integral) return text;
    const int mode = static_cast<int>(source.rounding) - static_cast<int>(Rounding::rni);
    return fmt::format("integral<IntegralMode::{}>({})", integral_modes[mode], text);
  };
  if (host_format(format)) {
    const bool as_double =
        format == Format::f64 || (inner.op == Op::Exact && inner.args[0]->type.format == Format::f64);
    for (const ExprPtr& arg : inner.args)
      if (inner.op != Op::Exact && format == Format::f32 && arg->op == Op::Exact &&
          arg->args[0]->type.format == Format::f64)
        throw Error(expr.at, "arithmetic on f64 rounded once to f32 has no executor");
    const std::string text = made_integral(real(inner, as_double));
    const std::string host =
        fmt::format("{}::of({}({}))", to, format == Format::f64 ? "double" : "float", text);
    // Some hosts convert an unsigned 0 by a subtraction, which gives -0 when rounding down.
    const bool unsigned_integer = inner.op == Op::RealOfInteger && inner.args[0]->range.low >= 0;
    return unsigned_integer ? fmt::format("absolute<{}>({})", to, host) : host;
  }
  if (const std::string text = narrow_arithmetic(expr); !text.empty()) return text;
  const std::string mode = mode_name(expr.rounding, expr.at);
  const bool arithmetic = inner.op != Op::Exact;
  const bool of_double = !arithmetic && inner.args[0]->type.format == Format::f64;
  const std::string value =
      arithmetic ? real_to_odd(inner, expr.rounding) : made_integral(real(inner, of_double));
  if (format == Format::tf32) return fmt::format("narrow_tf32<Mode::{}>(odd::to_float({}))", mode, value);
  // In a directed host mode the processor's own conversion would round by that.
  const char* narrow = host_rounding(form_) == Rounding::None ? "narrow" : "narrow_shifted";
  return fmt::format("{}<{}, Mode::{}>(odd::to_float({}))", narrow, to, mode, value);
}

std::string ExprWriter::pattern_operation(const Expr& expr) {
  const auto arg = [&](int i) { return pattern(expr.args[i]); };
  const std::string type = unsigned_name(expr.type.width);
  const auto filter = [&](const char* name) {
    return fmt::format("{}<{}>({})", name, format_name(expr.type.format, expr.at), arg(0));
  };
  switch (expr.op) {
    case Op::Constant:
      return fmt::format("{}(0x{}u)", type, expr.constant.get_str(16));
    case Op::Unspecified:
      return fmt::format("{}(0)", type);
    case Op::Operand: {
      const ir::Operand& o = form_.operands[expr.index];
      const int part = place_of(o, expr.part).part;
      if (part < 0 || o.type.parts == 1) return operand_word(expr);
      const std::string word = operand_word(expr);
      return fmt::format("{}({})", type,
                         part > 0 ? fmt::format("{} >> {}", word, part * o.type.width) : word);
    }
    case Op::Local:
      return locals_.at(expr.index).text;
    case Op::Element:
      return element(expr);
    case Op::ToFloat:
      return fmt::format("{}({})", type, modulo(*expr.args[0], word_for(expr.type.width, expr.at)));
    case Op::Select:
      return fmt::format("({} ? {} : {})", pred(expr.args[0]), arg(1), arg(2));
    case Op::Round:
      return rounded(expr);
    case Op::Flush:
      return filter("flush");
    case Op::Canonical:
      return filter("canonical");
    case Op::UnitClamp:
      return filter("unit_clamp");
    case Op::FloatNegate:
      return filter("negate");
    case Op::FloatAbs:
      return filter("absolute");
    case Op::CopySign:
      // As LANGUAGE.md's copysign(a, b): magnitude of b, sign of a.
      return fmt::format("copysign<{}>({}, {})", format_name(expr.type.format, expr.at), arg(0), arg(1));
    default:
      throw Error(expr.at, fmt::format("operation {} gives no float", static_cast<int>(expr.op)));
  }
}

}  // namespace semcc::emit
