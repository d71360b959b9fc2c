#include <array>

#include "emulator/ptx/builder/body_builder.h"

namespace wedjat::ptx {
namespace {

using Kind = Operand::Kind;

/// 0 to 3 for .x .y .z .w and .r .g .b .a; kNoComponent for anything else.
std::uint8_t component_named(std::string_view suffix) {
  constexpr std::string_view positions = "xyzw", colors = "rgba";
  if (suffix.size() != 1) return Operand::kNoComponent;
  const std::size_t at = std::min(positions.find(suffix.front()), colors.find(suffix.front()));
  return at == std::string_view::npos ? Operand::kNoComponent : static_cast<std::uint8_t>(at);
}

/// Whether an address can begin there.
bool is_place(Kind kind) { return kind >= Kind::reg && kind <= Kind::label; }

bool has_prefix(const Grammar::TermContext& term) { return !term.prefixes.empty(); }

}  // namespace

Operand BodyBuilder::operand(const Grammar::OperandContext& context) {
  if (context.open == nullptr) return expression(*context.value);
  if (text(context.open) == "[") return brackets(context);
  const Operand vector = compound(Kind::vector, context.parts);
  return context.second == nullptr ? vector : pair(vector, name(context.second, {}));
}

Operand BodyBuilder::compound(Kind kind, const std::vector<Grammar::OperandContext*>& parts) {
  std::vector<Operand> operands;
  operands.reserve(parts.size());
  for (const Grammar::OperandContext* part : parts) {
    operands.push_back(operand(*part));
    if (operands.back().kind == Kind::reg && operands.back().value != 0)
      fail(part->start, "in braces or parentheses a register stands without an offset");
  }
  Operand out;
  out.kind = kind;
  out.count = static_cast<std::uint32_t>(operands.size());
  out.index = keep(operands);
  return out;
}

Operand BodyBuilder::brackets(const Grammar::OperandContext& context) {
  const Grammar::OperandContext& first = *context.parts.front();
  if (first.value == nullptr) fail(first.open, "an address begins with a register, name or constant");
  Operand base = address(*first.value);
  if (context.suffix != nullptr) base.selector = selector(text(context.suffix).substr(1), context.suffix);
  if (context.parts.size() == 1) return base;
  std::vector<Operand> parts{base};
  for (std::size_t i = 1; i < context.parts.size(); ++i) parts.push_back(operand(*context.parts[i]));
  Operand out;
  out.kind = Kind::bracket_list;
  out.count = static_cast<std::uint32_t>(parts.size());
  out.index = keep(parts);
  return out;
}

Operand BodyBuilder::address(const Grammar::ExpressionContext& context) {
  Operand out;
  out.kind = Kind::address;
  out.index_register = kNone;
  if (!expressions_.is_symbolic(context)) {
    const Constant offset = expressions_.evaluate(context);
    if (!offset.is_integer()) fail(context.start, "an address is an integer");
    out.value = static_cast<std::int64_t>(offset.bits);
    return out;
  }
  const Operand base = symbol(*context.terms.front());
  if (!is_place(base.kind))
    fail(context.start, "'" + std::string(text(context.start)) + "' is not declared or no address");
  out.base = base.kind;
  out.index = base.index;
  out.component = base.component;
  out.value = expressions_.offset_after_first(context);
  return out;
}

/// `a[2]` and `a[%r]`, `a[%r+1]`: indices count values of a's type, whatever extents it has.
Operand BodyBuilder::element(const Grammar::TermContext& term) {
  const Operand base = name(term.name, {});
  Operand out;
  out.kind = Kind::element;
  out.base = base.kind;
  out.index = base.index;
  out.index_register = kNone;
  std::int64_t size = 0;
  const auto of_array = [&](const Variable& variable) {
    return variable.extents.empty() ? 0 : size_of(variable.type);
  };
  switch (base.kind) {
    case Kind::variable:
      size = of_array(module_.variables[base.index]);
      break;
    case Kind::local_variable:
      size = of_array(body_.variables[base.index]);
      break;
    case Kind::parameter:
      size = size_of(function_.parameters[base.index].type);
      break;
    case Kind::return_parameter:
      size = size_of(function_.returns[base.index].type);
      break;
    default:
      break;
  }
  if (size == 0) fail(term.name, "'" + std::string(text(term.name)) + "' is no array");
  std::uint64_t index = 0;
  if (expressions_.is_symbolic(*term.index)) {
    const Operand reg = symbol(*term.index->terms.front());
    if (reg.kind != Kind::reg || reg.component != Operand::kNoComponent)
      fail(term.index->start, "an index is a register or a constant");
    out.index_register = reg.index;
    index = static_cast<std::uint64_t>(expressions_.offset_after_first(*term.index));
  } else {
    const Constant constant = expressions_.evaluate(*term.index);
    if (!constant.is_integer()) fail(term.index->start, "an index is an integer");
    index = constant.bits;
  }
  out.value = static_cast<std::int64_t>(index * static_cast<std::uint64_t>(size));
  out.component = static_cast<std::uint8_t>(size);
  return out;
}

Operand BodyBuilder::symbol(const Grammar::TermContext& term) {
  if (term.argument != nullptr)
    fail(term.name, "'" + std::string(text(term.name)) + "(...)' is for initial values only");
  if (term.index != nullptr) return element(term);
  return name(term.name, term.component != nullptr ? text(term.component).substr(1) : std::string_view());
}

bool BodyBuilder::is_pair(const Grammar::ExpressionContext& context) const {
  return context.operators.size() == 1 && text(context.operators.front()) == "|" &&
         context.terms[1]->name != nullptr && context.terms[1]->prefixes.empty();
}

Operand BodyBuilder::pair(const Operand& first, const Operand& second) {
  Operand out;
  out.kind = Kind::pair;
  out.count = 2;
  out.index = keep({first, second});
  return out;
}

Operand BodyBuilder::expression(const Grammar::ExpressionContext& context) {
  const Grammar::TermContext& first = *context.terms.front();
  if (expressions_.is_symbolic(context)) {
    if (is_pair(context)) return pair(symbol(first), symbol(*context.terms[1]));
    Operand out = symbol(first);
    if (!context.operators.empty() || context.ternary != nullptr) {
      const bool is_variable = out.kind >= Kind::variable && out.kind <= Kind::return_parameter;
      const bool is_register =
          out.kind == Kind::reg && out.component == Operand::kNoComponent && out.selector == 0;
      if (!is_variable && !is_register)
        fail(context.start, "an offset outside [ ] needs a variable or register before it");
      out.value = expressions_.offset_after_first(context);
    }
    return out;
  }
  const auto* single = Expressions::single_term(context);
  if (single != nullptr && single->name != nullptr && has_prefix(*single) &&
      text(single->name) != "WARP_SZ") {
    if (single->prefixes.size() != 1) fail(single->start, "one ! or - may stand before a register");
    const char prefix = text(single->prefixes.front()).front();
    Operand out = symbol(*single);
    if ((prefix != '!' && prefix != '-') || out.kind != Kind::reg)
      fail(single->start, "only ! or - before a register make an operand");
    out.negated = prefix == '!';
    out.minus = prefix == '-';
    return out;
  }
  return constant(context);
}

Operand BodyBuilder::constant(const Grammar::ExpressionContext& context) {
  const Constant value = expressions_.evaluate(context);
  Operand out;
  out.value = static_cast<std::int64_t>(value.bits);
  out.is_unsigned = value.kind == Constant::Kind::u64;
  out.kind = value.is_integer()                          ? Kind::integer
             : value.kind == Constant::Kind::f32_pattern ? Kind::float32
                                                         : Kind::float64;
  return out;
}

Operand BodyBuilder::name(const antlr4::Token* token, std::string_view suffix) {
  const std::string_view whole = text(token);
  if (whole == "_" && suffix.empty()) {
    Operand out;
    out.kind = Kind::sink;
    return out;
  }
  const std::size_t dot = whole.find('.');
  const std::string_view base = whole.substr(0, dot);
  if (dot != std::string_view::npos) {
    if (!suffix.empty()) fail(token, "a second suffix");
    suffix = whole.substr(dot + 1);
  }
  if (suffix.empty()) return refer(base, location(token));
  if (const auto entity = find(base)) {
    Operand out;
    out.kind = entity->kind;
    out.index = entity->index;
    set_suffix(out, suffix, token);
    return out;
  }
  if (!base.starts_with('%') || dot == std::string_view::npos)
    fail(token, "'" + std::string(base) + "' is not declared");
  Operand out;
  out.kind = Kind::special_register;
  out.index = special_register(whole);
  return out;
}

void BodyBuilder::set_suffix(Operand& out, std::string_view suffix, const antlr4::Token* where) {
  if (out.kind != Kind::reg)
    fail(where, "'" + std::string(text(where)) + "': only registers have components");
  const unsigned width = body_.declaration_of(out.index).vector_width;
  const std::uint8_t component = component_named(suffix);
  if (component != Operand::kNoComponent) {
    if (width == 1 || component >= width)
      fail(where, "'" + std::string(text(where)) + "' has no component ." + std::string(suffix));
    out.component = component;
    return;
  }
  out.selector = selector(suffix, where);
}

std::uint16_t BodyBuilder::selector(std::string_view word, const antlr4::Token* where) {
  const auto [at, is_new] =
      selectors_.try_emplace(word, static_cast<std::uint16_t>(body_.selectors.size() + 1));
  if (is_new) {
    if (body_.selectors.size() == 0xfffe) fail(where, "too many different selectors");
    body_.selectors.push_back(word);
  }
  return at->second;
}

}  // namespace wedjat::ptx
