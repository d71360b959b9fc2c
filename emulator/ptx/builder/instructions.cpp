#include <algorithm>

#include "emulator/ptx/builder/body_builder.h"

namespace wedjat::ptx {
namespace {

using Kind = Operand::Kind;

/// Appends the words of "a.b::c.d" to out.
void split_words(std::string_view dotted, std::vector<std::string_view>& out) {
  for (std::size_t at = 0; at <= dotted.size();) {
    const std::size_t dot = std::min(dotted.find('.', at), dotted.size());
    out.push_back(dotted.substr(at, dot - at));
    at = dot + 1;
  }
}

}  // namespace

std::uint32_t BodyBuilder::mnemonic(const antlr4::Token* opcode,
                                    const std::vector<antlr4::Token*>& modifiers) {
  // Modifiers may stand apart from the opcode and from each other: `ld .global .u32`.
  std::string_view spelling = text(opcode);
  if (!modifiers.empty()) {
    std::string joined(spelling);
    for (const antlr4::Token* modifier : modifiers) joined += text(modifier);
    const auto known = mnemonics_.find(joined);
    spelling =
        known != mnemonics_.end() ? known->first : body_.generated_names.emplace_back(std::move(joined));
  }
  const auto [at, is_new] =
      mnemonics_.try_emplace(spelling, static_cast<std::uint32_t>(body_.mnemonics.size()));
  if (is_new) {
    Mnemonic& added = body_.mnemonics.emplace_back();
    added.text = spelling;
    std::vector<std::string_view> words;
    split_words(spelling, words);
    added.opcode = words.front();
    added.modifiers.assign(words.begin() + 1, words.end());
  }
  return at->second;
}

void BodyBuilder::guard(const Grammar::StatementContext& statement, Instruction& instruction) {
  if (statement.guard == nullptr) return;
  const auto entity = names_.find(text(statement.guard));
  if (!entity || entity->kind != Kind::reg)
    fail(statement.guard, "guard '" + std::string(text(statement.guard)) + "' is no declared register");
  if (body_.declaration_of(entity->index).type != Type::pred)
    fail(statement.guard, "guard '" + std::string(text(statement.guard)) + "' is no predicate");
  instruction.guard = entity->index;
  instruction.guard_negated = statement.negated != nullptr;
}

std::uint32_t BodyBuilder::keep(const std::vector<Operand>& operands) {
  const auto first = static_cast<std::uint32_t>(body_.operands.size());
  body_.operands.insert(body_.operands.end(), operands.begin(), operands.end());
  return first;
}

void BodyBuilder::instruction(const Grammar::StatementContext& statement) {
  Instruction out;
  guard(statement, out);
  if (!body_.locs.empty()) out.loc = static_cast<std::uint32_t>(body_.locs.size() - 1);
  if (statement.call_ != nullptr) {
    call(statement.name, *statement.call_, out);
  } else {
    out.where = location(statement.name);
    out.mnemonic = mnemonic(statement.name, statement.instruction_->modifiers);
    std::vector<Operand> operands;
    operands.reserve(statement.instruction_->operands.size());
    for (const Grammar::OperandContext* context : statement.instruction_->operands)
      operands.push_back(operand(*context));
    out.operand_count = static_cast<std::uint32_t>(operands.size());
    out.first_operand = keep(operands);
  }
  body_.instructions.push_back(out);
}

/// `call (results), target, (arguments), prototype;` of which only the target must be there.
void BodyBuilder::call(const antlr4::Token* opcode, const Grammar::CallContext& context, Instruction& out) {
  out.where = location(opcode);
  out.mnemonic = mnemonic(opcode, context.modifiers);
  std::size_t at = 0;
  const auto& parts = context.parts;
  const auto list = [&] {
    static const std::vector<Grammar::OperandContext*> nothing;
    const bool is_there = at < parts.size() && parts[at]->open != nullptr;
    return compound(Kind::list, is_there ? parts[at++]->operands : nothing);
  };
  const auto called = [&] {
    const antlr4::Token* const token = parts[at++]->name;
    return refer(text(token), location(token));
  };
  const Operand results = list();
  if (at == parts.size() || parts[at]->name == nullptr)
    fail(opcode, "call without a function or register to call");
  const Operand target = called();
  const Operand arguments = list();
  const Operand prototype = at < parts.size() && parts[at]->name != nullptr ? called() : Operand();
  if (at != parts.size()) fail(opcode, "a call is written call (results), target, (arguments), prototype");
  out.operand_count = 4;
  out.first_operand = keep({results, target, arguments, prototype});
}

}  // namespace wedjat::ptx
