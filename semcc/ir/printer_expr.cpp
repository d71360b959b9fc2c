#include "semcc/ir/printer_expr.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace semcc::ir {
namespace {

const char* rounding_name(Rounding rounding) {
  static constexpr const char* names[] = {"none", "rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi"};
  return names[static_cast<int>(rounding)];
}

const char* reduce_name(ReduceOp op) {
  static constexpr const char* names[] = {"add", "min", "max", "and", "or", "xor"};
  return names[static_cast<int>(op)];
}

std::string number(const mpz_class& value, const Expr& expr) {
  if (expr.type.kind == Kind::Pred) return value == 0 ? "false" : "true";
  if (expr.type.kind == Kind::Float) return fmt::format("as.{}(0x{})", expr.type.name(), value.get_str(16));
  return value.get_str();
}

// Operations written between their arguments; null for all others.
const char* sign_of(Op op) {
  switch (op) {
    case Op::Add:
    case Op::RealAdd:
      return "+";
    case Op::Sub:
    case Op::RealSub:
      return "-";
    case Op::Mul:
    case Op::RealMul:
      return "*";
    case Op::Div:
    case Op::RealDiv:
      return "/";
    case Op::Rem:
      return "%";
    case Op::Shl:
      return "<<";
    case Op::Shr:
      return ">>";
    case Op::And:
      return "&";
    case Op::Or:
      return "|";
    case Op::Xor:
      return "^";
    case Op::Equal:
      return "==";
    case Op::NotEqual:
      return "!=";
    case Op::Less:
      return "<";
    case Op::LessEqual:
      return "<=";
    case Op::LogicalAnd:
      return "&&";
    case Op::LogicalOr:
      return "||";
    case Op::LogicalXor:
      return "^^";
    default:
      return nullptr;
  }
}

// Operations written as a call of this name; null for all others.
const char* function_of(Op op) {
  switch (op) {
    case Op::Min:
      return "min";
    case Op::Max:
      return "max";
    case Op::Abs:
      return "abs";
    case Op::PopCount:
      return "popcount";
    case Op::HighestBit:
      return "highest_bit";
    case Op::ToPred:
      return "truth";
    case Op::Exact:
      return "exact";
    case Op::RealFma:
      return "fma";
    case Op::RealSqrt:
      return "sqrt";
    case Op::RealOfInteger:
      return "real";
    case Op::Flush:
      return "flush";
    case Op::Canonical:
      return "canonical";
    case Op::UnitClamp:
      return "unit_clamp";
    case Op::IsNan:
      return "is_nan";
    case Op::IsInfinite:
      return "is_inf";
    case Op::IsZero:
      return "is_zero";
    case Op::IsSubnormal:
      return "is_subnormal";
    case Op::IsNormal:
      return "is_normal";
    case Op::SignBit:
      return "sign";
    case Op::FloatNegate:
      return "negate";
    case Op::FloatAbs:
      return "absolute";
    case Op::CopySign:
      return "copysign";
    case Op::FloatEqual:
      return "equal";
    case Op::FloatLess:
      return "less";
    case Op::FloatLessEqual:
      return "less_equal";
    default:
      return nullptr;
  }
}

}  // namespace

std::string place_text(const Operand& operand, int part) {
  if (part < 0) return operand.name;
  if (operand.kind != OperandKind::Vector && operand.kind != OperandKind::Fragment)
    return fmt::format("{}.part({})", operand.name, part);
  const int parts = static_cast<int>(operand.type.parts);
  const std::string element = fmt::format("{}[{}]", operand.name, part / parts);
  return parts > 1 ? fmt::format("{}.part({})", element, part % parts) : element;
}

std::string local_text(const Form& form, int local) {
  const std::string& name = form.locals[static_cast<std::size_t>(local)].name;
  const auto called_so = [&](const auto& thing) { return thing.name == name; };
  const auto uses = std::count_if(form.locals.begin(), form.locals.end(), called_so) +
                    std::count_if(form.operands.begin(), form.operands.end(), called_so) +
                    std::count_if(form.body.begin(), form.body.end(), called_so);
  return uses > 1 ? fmt::format("{}%{}", name, local) : name;
}

std::string matrix_text(const Form& form, int matrix) {
  return fmt::format("{}#{}", form.matrices[static_cast<std::size_t>(matrix)].name, matrix);
}

ExprPrinter::ExprPrinter(const Form& form) : form_(form) {
  for (const Stmt& stmt : form.body) {
    count(stmt.address);
    count(stmt.value);
    for (const ExprPtr& arg : stmt.args) count(arg);
  }
}

void ExprPrinter::count(const ExprPtr& expr) {
  if (!expr || uses_[expr.get()]++ != 0) return;
  for (const ExprPtr& arg : expr->args) count(arg);
}

std::string ExprPrinter::text(const ExprPtr& expr) {
  if (expr->args.empty() || uses_[expr.get()] < 2) return shape(*expr);
  const auto known = names_.find(expr.get());
  if (known != names_.end()) return known->second;
  std::string meaning = shape(*expr);
  std::string name = fmt::format("t{}", names_.size() + 1);
  definitions_.push_back(fmt::format("{} = {}", name, meaning));
  return names_[expr.get()] = std::move(name);
}

std::vector<std::string> ExprPrinter::take_definitions() { return std::exchange(definitions_, {}); }

std::string ExprPrinter::call(const std::string& name, const Expr& expr) {
  std::string out = name + "(";
  for (std::size_t i = 0; i < expr.args.size(); ++i) out += (i == 0 ? "" : ", ") + text(expr.args[i]);
  return out + ")";
}

std::string ExprPrinter::infix(const char* sign, const Expr& expr) {
  const std::string left = text(expr.args[0]);
  return fmt::format("({} {} {})", left, sign, text(expr.args[1]));
}

std::string ExprPrinter::leaf(const Expr& expr) {
  const auto index = static_cast<std::size_t>(expr.index);
  switch (expr.op) {
    case Op::Constant:
      return number(expr.constant, expr);
    case Op::Operand: {
      const std::string place = place_text(form_.operands[index], expr.part);
      return expr.args.empty() ? place : fmt::format("{}[lane {}]", place, text(expr.args[0]));
    }
    case Op::Local:
      return local_text(form_, expr.index);
    case Op::Lane:
      return "lane";
    case Op::BoundLane:
      return "i";
    case Op::BoundIndex:
      return expr.index == 0 ? "row" : "column";
    case Op::ActiveMask:
      return "active.mask";
    case Op::PredMask:
      return form_.operands[index].name + ".mask";
    case Op::Unspecified:
      return "unspecified." + expr.type.name();
    default:
      return expr.name;  // State, Special
  }
}

std::string ExprPrinter::shape(const Expr& expr) {
  if (const char* sign = sign_of(expr.op)) return infix(sign, expr);
  if (const char* name = function_of(expr.op)) return call(name, expr);
  const auto typed = [&](const char* name) { return fmt::format("{}.{}", name, expr.type.name()); };
  switch (expr.op) {
    case Op::Neg:
      return "-" + text(expr.args[0]);
    case Op::Not:
      return "~" + text(expr.args[0]);
    case Op::LogicalNot:
      return "!" + text(expr.args[0]);
    case Op::Reverse:
      return call(fmt::format("reverse.b{}", expr.high + 1), expr);
    case Op::Element: {
      const std::string row = text(expr.args[0]);
      return fmt::format("{}[{}, {}]", matrix_text(form_, expr.index), row, text(expr.args[1]));
    }
    case Op::Table:
      return fmt::format("{}[{}]", expr.name, text(expr.args[0]));
    case Op::Wrap:
      return call(typed("wrap"), expr);
    case Op::Clamp:
      return call(typed("clamp"), expr);
    case Op::Slice:
      return fmt::format("{}[{}:{}]", text(expr.args[0]), expr.high, expr.low);
    case Op::ToInteger:
      return call(expr.args[0]->type.kind == Kind::Float ? "bits" : "integer", expr);
    case Op::ToFloat:
      return call(typed("as"), expr);
    case Op::Select: {
      const std::string condition = text(expr.args[0]), then = text(expr.args[1]);
      return fmt::format("({} ? {} : {})", condition, then, text(expr.args[2]));
    }
    case Op::Round:
      return fmt::format("{}({}, {})", typed("round"), text(expr.args[0]), rounding_name(expr.rounding));
    case Op::Integral:
      return fmt::format("integral({}, {})", text(expr.args[0]), rounding_name(expr.rounding));
    case Op::Ballot:
      return fmt::format("ballot(i in active : {})", text(expr.args[0]));
    case Op::Reduce:
      return fmt::format("reduce.{}(i in active : {})", reduce_name(expr.reduce), text(expr.args[0]));
    default:
      return leaf(expr);
  }
}

}  // namespace semcc::ir
