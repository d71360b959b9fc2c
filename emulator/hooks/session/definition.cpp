#include "emulator/hooks/session/definition.h"

#include <fmt/format.h>

#include <charconv>
#include <sstream>

#include "emulator/exec/access/context.h"
#include "emulator/hooks/session/session.h"
#include "emulator/kernel/forms/form_key.h"
#include "emulator/kernel/forms/form_table.h"

namespace wedjat::hooks {
namespace {

using kernel::OperandKind;
using kernel::ValueKind;

// In a launch that the tool does not watch.
void unwatched(exec::WarpContext& warp, const kernel::Step& step, std::uint32_t mask) {
  exec::undefined(warp, step, mask, "the tool that defines this instruction does not watch this launch");
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(part);
  return parts;
}

}  // namespace

Definition::Definition(const wedjat_definition& from)
    : text_(from.form ? from.form : ""), handler_(from.handler), user_(from.user) {
  const std::vector<std::string> words = split(text_, '.');
  if (words.empty() || words[0].empty() || handler_ == nullptr)
    throw ToolError("an instruction is defined by a form and a handler");
  if (!kernel::FormTable::generated().of_opcode(words[0]).empty())
    throw ToolError(fmt::format("PTX has the opcode of '{}': replace it instead", text_));
  const std::vector<std::string_view> modifiers(words.begin() + 1, words.end());
  key_ = kernel::form_key(words[0], modifiers);
  std::istringstream operands(from.operands ? from.operands : "");
  words_.reserve(2 * (operands.str().size() + 1));  // views into it are kept
  for (std::string one; operands >> one;) operands_.push_back(operand(one));
  form_.opcode = std::string_view(text_).substr(0, words[0].size());
  form_.text = text_;
  form_.key = key_;
  form_.source = source;
  form_.full = form_.masked = unwatched;
  form_.operand = operands_.data();
  form_.operands = static_cast<std::uint8_t>(operands_.size());
  form_.sync_operand = -1;
  form_.level = kernel::Level::Warp;
}

// "d:f32:out"
kernel::OperandSpec Definition::operand(const std::string& text) {
  const std::vector<std::string> parts = split(text, ':');
  const auto wrong = [&] {
    return ToolError(fmt::format("'{}' of {} is no operand: name:type or name:type:out", text, text_));
  };
  if (parts.size() < 2 || parts.size() > 3 || (parts.size() == 3 && parts[2] != "out")) throw wrong();
  kernel::OperandSpec spec{};
  spec.name = words_.emplace_back(parts[0]);
  spec.out = parts.size() == 3;
  spec.in = !spec.out;
  spec.parts = 1;
  spec.count = 1;
  spec.sink = spec.out;
  const std::string& type = parts[1];
  if (type == "pred") {
    spec.kind = OperandKind::Predicate;
    spec.value = ValueKind::Pred;
    spec.bits = 1;
    return spec;
  }
  spec.kind = OperandKind::Register;
  const auto [end, error] = std::from_chars(type.data() + 1, type.data() + type.size(), spec.bits);
  const std::string_view kinds = "busf";
  constexpr ValueKind values[] = {ValueKind::Bits, ValueKind::Unsigned, ValueKind::Signed, ValueKind::Float};
  const std::size_t kind = kinds.find(type[0]);
  const bool fits = spec.bits == 16 || spec.bits == 32 || spec.bits == 64;
  if (error != std::errc{} || end != type.data() + type.size() || kind == kinds.npos || !fits) throw wrong();
  spec.value = values[kind];
  if (spec.value == ValueKind::Float) spec.format = words_.emplace_back(type);
  return spec;
}

}  // namespace wedjat::hooks
