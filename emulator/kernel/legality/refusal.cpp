#include "emulator/kernel/legality/refusal.h"

#include <fmt/format.h>

#include <algorithm>

#include "emulator/kernel/forms/form_key.h"
#include "emulator/kernel/legality/availability.h"
#include "emulator/kernel/legality/operand_rules.h"
#include "emulator/kernel/legality/why_refused.h"
#include "emulator/kernel/legality/word_order.h"

namespace wedjat::kernel {
namespace {

std::string describe(const OperandSpec& spec) {
  const std::string value = spec.value == ValueKind::Pred       ? "pred"
                            : !spec.format.empty()              ? std::string(spec.format)
                            : spec.value == ValueKind::Signed   ? fmt::format("s{}", spec.bits / spec.parts)
                            : spec.value == ValueKind::Unsigned ? fmt::format("u{}", spec.bits / spec.parts)
                                                                : fmt::format("b{}", spec.bits / spec.parts);
  switch (spec.kind) {
    case OperandKind::Address:
      return spec.format == "tensor" ? "an address in tensor memory, a .b32 register" : "an address";
    case OperandKind::Label:
      return "a label";
    case OperandKind::Function:
      return "a function";
    case OperandKind::List:
      return "a list";
    case OperandKind::Immediate:
      return fmt::format("a constant of type {}", value);
    case OperandKind::Vector:
    case OperandKind::Fragment:
      return fmt::format("a vector of {} .{} elements", spec.count, value);
    default:
      return fmt::format("a .{} operand{}", value, spec.extends ? " (or wider)" : "");
  }
}

// Whether the form may have that many operands, whatever they are.
bool takes(const Form& form, std::size_t count) {
  std::size_t least = 0, most = 0;
  for (const OperandSpec& spec : std::span(form.operand, form.operands)) {
    if (spec.attached.what != Attach::None || spec.paired) continue;
    ++most;
    if (!spec.optional) ++least;
  }
  return least <= count && count <= most;
}

// What is wrong with these operands for this form.
std::string explain(const Form& form, const ptx::Body& body, std::span<const ptx::Operand> operands) {
  std::vector<BoundOperand> bound;
  const Match match = bind(form, body, operands, bound);
  if (match.mismatch == Mismatch::count) {
    const std::span<const OperandSpec> specs(form.operand, form.operands);
    const auto own =
        std::ranges::count(specs, Attach::None, [](const auto& spec) { return spec.attached.what; });
    return fmt::format("takes {} operands, {} are written", own, operands.size());
  }
  std::string expected = bound.empty() ? "nothing" : describe(*bound.back().spec);
  if (match.mismatch == Mismatch::negation)
    return fmt::format("operand {} cannot be negated", match.operand + 1);
  const ptx::Operand& operand = operands[match.operand];
  if (match.mismatch == Mismatch::selector) {
    return operand.selector == 0 ? fmt::format("operand {} needs a selector", match.operand + 1)
                                 : fmt::format("operand {} cannot have the selector .{}", match.operand + 1,
                                               body.selectors[operand.selector - 1u]);
  }
  std::string have;
  if (operand.kind == ptx::Operand::Kind::reg) {
    have = fmt::format(", {} is .{}", body.register_name(operand.index),
                       ptx::name_of(body.declaration_of(operand.index).type));
  }
  return fmt::format("operand {} must be {}{}", match.operand + 1, expected, have);
}

// Forms of the opcode that share most words with what is written, best first, distinct texts.
std::vector<std::string_view> nearest(const FormTable& table, const ptx::Mnemonic& mnemonic) {
  std::vector<std::pair<int, std::string_view>> scored;
  for (const Form& form : table.of_opcode(mnemonic.opcode)) {
    int score = 0;
    std::string_view rest = form.text;
    rest.remove_prefix(std::min(form.opcode.size(), rest.size()));
    while (!rest.empty()) {
      rest.remove_prefix(1);
      const std::size_t end = std::min(rest.find('.'), rest.size());
      score += std::ranges::count(mnemonic.modifiers, rest.substr(0, end)) != 0 ? 2 : -1;
      rest.remove_prefix(end);
    }
    scored.emplace_back(-score, form.text);
  }
  std::ranges::sort(scored);
  scored.erase(std::unique(scored.begin(), scored.end()), scored.end());
  std::vector<std::string_view> texts;
  for (std::size_t i = 0; i < scored.size() && i < 3; ++i) texts.push_back(scored[i].second);
  return texts;
}

// Words of the mnemonic that no form of its opcode has.
std::string unknown_words(const FormTable& table, const ptx::Mnemonic& mnemonic) {
  std::string unknown;
  for (std::string_view word : mnemonic.modifiers) {
    const bool known = std::ranges::any_of(table.of_opcode(mnemonic.opcode), [&](const Form& form) {
      return fmt::format(".{}.", form.text).find(fmt::format(".{}.", word)) != std::string::npos ||
             fmt::format(" {} ", form.hints).find(std::string(word)) != std::string::npos;
    });
    if (!known && !is_ignored_word(word)) unknown += fmt::format(" .{}", word);
  }
  return unknown;
}

std::string why_no_form(const FormTable& table, const ptx::Mnemonic& mnemonic) {
  const auto in_order = [&](const Form* form) { return name_stands_first(*form, mnemonic.modifiers); };
  if (table.of_opcode(mnemonic.opcode).empty()) {
    return fmt::format("no semantics for the instruction '{}'", mnemonic.opcode);
  }
  const std::string unknown = unknown_words(table, mnemonic);
  const std::string what =
      !unknown.empty() ? "unknown modifier" + unknown
      : std::ranges::all_of(table.candidates(mnemonic.opcode, mnemonic.modifiers), in_order)
          ? "these modifiers do not go together"
          : "the words of its name do not follow the opcode";
  return fmt::format("no form '{}': {}; nearest: {}", mnemonic.text, what,
                     fmt::join(nearest(table, mnemonic), ", "));
}

// The first character behind a comment that begins there; the place itself if none does.
std::size_t end_of_comment(std::string_view text, std::size_t at) {
  const std::string_view mark = text.substr(at, 2);
  if (mark == "//") return std::min(text.find('\n', at), text.size());
  if (mark != "/*") return at;
  const std::size_t end = text.find("*/", at + 2);
  return end == std::string_view::npos ? text.size() : end + 2;
}

}  // namespace

void refuse(const ptx::Module& module, ptx::Location where, const std::string& message) {
  throw Refusal(module.name(), where, message,
                where.line ? module.source().line(where.line) : std::string_view());
}

std::string text_of(const ptx::Module& module, const ptx::Instruction& instruction) {
  const std::string_view all = module.source().text();
  std::string text;
  for (std::size_t at = module.source().offset_of(instruction.where); at < all.size() && all[at] != ';';) {
    const std::size_t behind = end_of_comment(all, at);
    const bool blank = behind != at || all[at] == ' ' || (all[at] >= '\t' && all[at] <= '\r');
    if (!blank)
      text += all[at];
    else if (!text.empty() && text.back() != ' ')
      text += ' ';
    at = std::max(behind, at + 1);
  }
  return text;
}

void refuse_instruction(const FormTable& table, const ptx::Function& function, const ptx::Body& body,
                        const ptx::Instruction& instruction, const std::vector<const Form*>& candidates) {
  const ptx::Mnemonic& mnemonic = body.mnemonics[instruction.mnemonic];
  const std::string text = text_of(function.module(), instruction);
  std::string why;
  if (candidates.empty()) {
    why = why_no_form(table, mnemonic);
  } else {
    std::vector<BoundOperand> bound;
    const std::span<const ptx::Operand> operands = body.operands_of(instruction);
    int best = -1;  // 2: the operands fit, 1: their number
    for (const Form* form : candidates) {
      const bool fits = bind(*form, body, operands, bound).mismatch == Mismatch::none;
      const int closeness = fits ? 2 : takes(*form, operands.size()) ? 1 : 0;
      if (closeness < best || (closeness == best && !fits)) continue;
      best = closeness;
      why = fmt::format("{} {}", form->text,
                        fits ? unavailable(*form, function.module()) : explain(*form, body, operands));
    }
  }
  refuse(function.module(), instruction.where, fmt::format("'{}': {}", text, why));
}

void refuse_to_run(const ptx::Module& module, const ptx::Instruction& instruction, const Form& form) {
  std::string needs;
  for (char c : form.targets) needs += c == ' ' ? std::string(" or ") : std::string(1, c);
  const std::string message =
      fmt::format("'{}': {}parsed and typed, not run here: {}", text_of(module, instruction),
                  needs.empty() ? needs : fmt::format("needs {}: ", needs), why_refused(form));
  throw NotRun(module.name(), instruction.where, message, module.source().line(instruction.where.line));
}

}  // namespace wedjat::kernel
