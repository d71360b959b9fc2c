#include "semcc/emit/executors/expr.h"

#include <fmt/format.h>

#include "semcc/emit/executors/executors.h"
#include "semcc/emit/executors/plan.h"

namespace semcc::emit {

using ir::Expr;
using ir::ExprPtr;
using ir::Kind;
using ir::Op;

void ExprWriter::begin(const std::vector<const ir::Stmt*>& statements) {
  scopes_.assign(1, {});
  uses_.clear();
  wide = nested = false;
  Visited visited;
  for (const ir::Stmt* statement : statements)
    walk(*statement, visited, [&](const Expr& expr) { ++uses_[&expr]; });
}

std::vector<std::string> ExprWriter::take_lines() { return std::exchange(scopes_.back().lines, {}); }

std::string ExprWriter::temporary(const std::string& type, const std::string& text) {
  std::string name = fmt::format("t{}", temporaries_++);
  scopes_.back().lines.push_back(fmt::format("const {} {} = {};", type, name, text));
  return name;
}

// A node with several uses gets a name. `how`: the C++ type asked for, or "exact", whose type the result
// tells.
Code ExprWriter::shared(const Expr& expr, const std::string& how, const std::function<Code()>& make) {
  const auto uses = uses_.find(&expr);
  if (expr.args.empty() || uses == uses_.end() || uses->second < 2) return make();
  const std::pair key(&expr, how);
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto found = scope->known.find(key); found != scope->known.end()) return found->second;
  const Code code = make();
  return scopes_.back().known[key] = {temporary(how == "exact" ? code.machine.name() : how, code.text),
                                      code.machine};
}

std::string ExprWriter::stored_type(const ir::Local& local) const {
  switch (local.type.kind) {
    case Kind::Pred:
      return "bool";
    case Kind::Integer:
      return machine_for(local.range, form_.at).name();
    case Kind::Float:
      return unsigned_name(local.type.width);
    default:
      throw Error(form_.at,
                  fmt::format("local `{}` of type {} cannot be stored", local.name, local.type.name()));
  }
}

int ExprWriter::row_index(int operand, int element) const {
  unsigned index = 0;
  for (int before = 0; before < operand; ++before) index += form_.operands[before].count;
  return static_cast<int>(index) + element;
}

std::string ExprWriter::element_type(int operand) const {
  const ir::Operand& o = form_.operands[operand];
  if (o.kind == ir::OperandKind::Address) return "u64";
  if (o.type.kind == Kind::Pred) return "u32";
  return unsigned_name(o.type.bits());
}

std::string ExprWriter::row_type(int operand) const {
  return fmt::format("{}{}*", form_.operands[operand].out ? "" : "const ", element_type(operand));
}

std::string ExprWriter::row(int operand, int element) {
  const ir::Operand& o = form_.operands[operand];
  rows.insert({operand, element});
  return fmt::format("{}{}", identifier(o.name), o.count > 1 ? fmt::format("{}_row", element) : "_row");
}

// The word of the operand in the lane asked for, read before the expression so that no choice guards the
// load.
std::string ExprWriter::operand_word(const Expr& expr) {
  const ir::Operand& o = form_.operands.at(static_cast<std::size_t>(expr.index));
  const std::string pointer = row(expr.index, place_of(o, expr.part).element);
  if (o.type.kind == Kind::Pred) return pointer + "[0]";
  const std::string lane = expr.args.empty() ? "lane" : modulo(*expr.args[0], 32);
  const std::string text = fmt::format("{}[{}]", pointer, lane);
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto found = scope->words.find(text); found != scope->words.end()) return found->second;
  return scopes_.back().words[text] = temporary(element_type(expr.index), text);
}

std::string ExprWriter::element(const Expr& expr) { return fmt::format("m{}[{}]", expr.index, place(expr)); }

std::string ExprWriter::place(const Expr& expr) {
  const unsigned columns = form_.matrices.at(static_cast<std::size_t>(expr.index)).columns;
  return fmt::format("{} * {} + {}", modulo(*expr.args[0], 32), columns, modulo(*expr.args[1], 32));
}

std::string ExprWriter::value(const ExprPtr& expr) {
  switch (expr->type.kind) {
    case Kind::Pred:
      return pred(expr);
    case Kind::Float:
      return pattern(expr);
    case Kind::Integer:
      return exact(*expr).text;
    default:
      throw Error(expr->at, "an expression without a storable value");
  }
}

std::string ExprWriter::pred(const ExprPtr& expr) {
  return shared(*expr, "bool", [&] { return Code{pred_operation(*expr), {}}; }).text;
}

std::string ExprWriter::pattern(const ExprPtr& expr) {
  return shared(*expr, unsigned_name(expr->type.width),
                [&] {
                  return Code{pattern_operation(*expr), {}};
                })
      .text;
}

std::string ExprWriter::address(const ExprPtr& expr) { return modulo(*expr, 64); }

std::string ExprWriter::bits_of(const ExprPtr& expr, unsigned width) {
  if (expr->type.kind == Kind::Float) return pattern(expr);
  // Bits beyond the row's element are cut off by the store.
  const Expr* value = expr.get();
  while ((value->op == Op::Wrap && value->type.width >= width) ||
         (value->op == Op::Slice && value->low == 0 && value->high + 1 >= width))
    value = value->args[0].get();
  if (value->op == Op::Local || value->op == Op::Operand) {
    const Code code = exact(*value);
    if (!code.pattern.empty() && code.pattern_width == width) return code.pattern;
  }
  const std::string low = modulo(*value, word_for(width, expr->at));
  return width < 32 ? fmt::format("{}({})", unsigned_name(width), low) : low;
}

std::string ExprWriter::in_common(const char* format, const Expr& expr) {
  const Machine machine = machine_for(hull(expr.args[0]->range, expr.args[1]->range), expr.at);
  return fmt::format(fmt::runtime(format), convert(exact(*expr.args[0]), machine),
                     convert(exact(*expr.args[1]), machine));
}

std::string ExprWriter::pred_operation(const Expr& expr) {
  const auto arg = [&](int i) { return pred(expr.args[i]); };
  const bool of_preds = !expr.args.empty() && expr.args[0]->type.kind == Kind::Pred;
  const auto classify = [&](const char* name) {
    return fmt::format("{}<{}>({})", name, format_name(expr.args[0]->type.format, expr.at),
                       pattern(expr.args[0]));
  };
  const auto ordered = [&](const char* name) {
    return fmt::format("{}<{}>({}, {})", name, format_name(expr.args[0]->type.format, expr.at),
                       pattern(expr.args[0]), pattern(expr.args[1]));
  };
  switch (expr.op) {
    case Op::Constant:
      return expr.constant != 0 ? "true" : "false";
    case Op::Unspecified:
      return "false";
    case Op::Operand: {
      const std::string lane = expr.args.empty() ? "lane" : modulo(*expr.args[0], 32);
      return fmt::format("(({} >> {} & 1) != 0)", operand_word(expr), lane);
    }
    case Op::Local:
      return fmt::format("bool({})", locals_.at(expr.index).text);
    case Op::State:
      reads_carry = true;
      return "((carry >> lane & 1) != 0)";
    case Op::ToPred:
      return fmt::format("({} != 0)", exact(*expr.args[0]).text);
    case Op::Select:
      return fmt::format("({} ? {} : {})", arg(0), arg(1), arg(2));
    case Op::Equal:
      return of_preds ? fmt::format("({} == {})", arg(0), arg(1)) : in_common("({} == {})", expr);
    case Op::NotEqual:
      return of_preds ? fmt::format("({} != {})", arg(0), arg(1)) : in_common("({} != {})", expr);
    case Op::Less:
      return in_common("({} < {})", expr);
    case Op::LessEqual:
      return in_common("({} <= {})", expr);
    case Op::LogicalAnd:
      return fmt::format("bool({} & {})", arg(0), arg(1));
    case Op::LogicalOr:
      return fmt::format("bool({} | {})", arg(0), arg(1));
    case Op::LogicalXor:
      return fmt::format("({} != {})", arg(0), arg(1));
    case Op::LogicalNot:
      return fmt::format("(!{})", arg(0));
    case Op::IsNan:
      return classify("is_nan");
    case Op::IsInfinite:
      return classify("is_infinite");
    case Op::IsZero:
      return classify("is_zero");
    case Op::IsSubnormal:
      return classify("is_subnormal");
    case Op::IsNormal:
      return classify("is_normal");
    case Op::SignBit:
      return classify("sign_bit");
    case Op::FloatEqual:
      return ordered("equal");
    case Op::FloatLess:
      return ordered("less");
    case Op::FloatLessEqual:
      return ordered("less_equal");
    case Op::Reduce:
      return fmt::format("({} != 0)", over_lanes(expr));
    default:
      throw Error(expr.at, fmt::format("operation {} gives no truth value", static_cast<int>(expr.op)));
  }
}

// A loop over all lanes inside the current scope; its result is one value.
std::string ExprWriter::over_lanes(const Expr& expr) {
  scopes_.push_back({});
  const bool ballot = expr.op == Op::Ballot;
  const bool truth = !ballot && expr.type.kind == Kind::Pred;
  const Machine machine = ballot || truth ? Machine{false, 32} : machine_for(expr.range, expr.at);
  const std::string each = ballot || truth ? pred(expr.args[0]) : convert(exact(*expr.args[0]), machine);
  const Scope inner = std::move(scopes_.back());
  scopes_.pop_back();

  const std::string name = fmt::format("t{}", temporaries_++), type = machine.name();
  auto& lines = scopes_.back().lines;
  const auto write_loop = [&](bool truths, const std::string& start, const std::string& step) {
    nested = true;
    lines.push_back(start);
    lines.push_back(vectorised(truths));
    lines.push_back("for (u32 bound = 0; bound < 32; ++bound) {");
    for (const std::string& line : inner.lines) lines.push_back("  " + line);
    lines.push_back("  " + step);
    lines.push_back("}");
  };
  if (ballot) {
    write_loop(true, fmt::format("alignas(32) u8 {}[32];", name),
               fmt::format("{}[bound] = u8({});", name, each));
    return temporary("u32", fmt::format("lane_bits({}) & mask", name));
  }
  std::string start = "0", step;
  const std::string chosen = "(mask >> bound & 1) != 0 ? ";
  using ir::ReduceOp;
  switch (expr.reduce) {
    case ReduceOp::Add:
      step = fmt::format("{0} += {1}{2} : {3}(0);", name, chosen, each, type);
      break;
    case ReduceOp::Or:
      step = fmt::format("{0} |= {1}{2} : {3}(0);", name, chosen, each, type);
      break;
    case ReduceOp::Xor:
      step = fmt::format("{0} ^= {1}{2} : {3}(0);", name, chosen, each, type);
      break;
    case ReduceOp::And:
      start = "~" + type + "(0)";
      step = fmt::format("{0} &= {1}{2} : ~{3}(0);", name, chosen, each, type);
      break;
    case ReduceOp::Min:
      start = fmt::format("std::numeric_limits<{}>::max()", type);
      step = fmt::format("{0} = least({0}, {1}{2} : {3});", name, chosen, each, start);
      break;
    case ReduceOp::Max:
      start = fmt::format("std::numeric_limits<{}>::min()", type);
      step = fmt::format("{0} = greatest({0}, {1}{2} : {3});", name, chosen, each, start);
      break;
  }
  write_loop(false, fmt::format("{} {} = {};", type, name, start), step);
  if (truth && expr.reduce == ir::ReduceOp::And) return fmt::format("({} & 1)", name);
  return name;
}

}  // namespace semcc::emit
