#include "semcc/eval/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "semcc/eval/literal.h"

namespace semcc::eval {
namespace {

using ir::Form;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::string part;
  for (const char c : text) {
    if (c == separator)
      parts.push_back(std::exchange(part, {}));
    else
      part += c;
  }
  parts.push_back(part);
  return parts;
}

bool is_hint(const Form& form, const std::string& word) {
  return std::any_of(form.hints.begin(), form.hints.end(), [&](const auto& group) {
    return std::find(group.begin(), group.end(), word) != group.end();
  });
}

// The look-up key of written words, read as this form would: its hints left out.
std::string key_for(const Form& form, const std::vector<std::string>& words) {
  Form written;
  written.opcode = words.front();
  for (std::size_t i = 1; i < words.size(); ++i) {
    const bool part_of_form =
        std::find(form.modifiers.begin(), form.modifiers.end(), words[i]) != form.modifiers.end();
    if (!part_of_form && is_hint(form, words[i])) continue;
    written.modifiers.push_back(words[i]);
    written.is_type.push_back(ir::is_type_word(words[i]));
  }
  return written.key();
}

// Operands separated by commas outside braces, blanks removed.
std::vector<std::string> operand_texts(const std::string& text) {
  std::vector<std::string> operands;
  std::string operand;
  int depth = 0;
  for (const char c : text) {
    if (c == '{') ++depth;
    if (c == '}') --depth;
    if (c == ',' && depth == 0)
      operands.push_back(std::exchange(operand, {}));
    else if (c != ' ' && c != ';')
      operand += c;
  }
  if (!operand.empty() || !operands.empty()) operands.push_back(operand);
  return operands;
}

std::vector<std::string> elements_of(const std::string& operand) {
  if (operand.starts_with("{") && operand.ends_with("}"))
    return split(operand.substr(1, operand.size() - 2), ',');
  return {operand};
}

// Forms of one text differ in their operands: their number, their elements, how many results there are.
bool takes(const Form& form, const std::vector<std::string>& operands,
           std::optional<std::size_t> wanted_results) {
  std::size_t next = 0, outputs = 0;
  for (const ir::Operand& operand : form.operands) {
    if (operand.out) outputs += operand.count;
    if (!operand.in) continue;
    if (next >= operands.size() || elements_of(operands[next]).size() != operand.count) return false;
    ++next;
  }
  return next == operands.size() && (!wanted_results || *wanted_results == outputs);
}

void fill(Frame& frame, const Form& form, const std::vector<std::string>& texts) {
  std::size_t next = 0;
  for (std::size_t index = 0; index < form.operands.size(); ++index) {
    const ir::Operand& operand = form.operands[index];
    if (!operand.in) continue;
    std::string text = texts.at(next++);
    const bool negated = operand.negatable && text.starts_with("!");
    if (negated) text.erase(0, 1);
    const std::vector<std::string> elements = elements_of(text);
    for (std::size_t element = 0; element < elements.size(); ++element) {
      mpz_class pattern = parse_pattern(elements[element], operand.type);
      if (negated) pattern = 1 - pattern;
      frame.operands[index][element].fill({pattern, 0});
    }
  }
}

unsigned lowest(std::uint32_t mask) { return mask == 0 ? 0 : static_cast<unsigned>(__builtin_ctz(mask)); }

template <class Visit>
void each_output(const Form& form, const Frame& after, const Visit& visit) {
  for (std::size_t index = 0; index < form.operands.size(); ++index)
    if (form.operands[index].out)
      for (const Row& row : after.operands[index]) visit(form.operands[index], row[lowest(after.active)]);
}

}  // namespace

Instruction parse_instruction(const ir::Program& program, const std::string& text,
                              std::optional<std::size_t> results) {
  const std::string trimmed = text.substr(std::min(text.find_first_not_of(' '), text.size()));
  const std::size_t blank = std::min(trimmed.find(' '), trimmed.size());
  const std::vector<std::string> words = split(trimmed.substr(0, blank), '.');
  const std::vector<std::string> operands = operand_texts(trimmed.substr(blank));
  bool known = false;
  for (const ir::Family& family : program.families) {
    for (const Form& form : family.forms) {
      if (form.opcode != words.front() || key_for(form, words) != form.key()) continue;
      known = true;
      if (!takes(form, operands, results)) continue;
      Instruction instruction{&form, empty_frame(form)};
      instruction.frame.specials = {{"cluster.rank", 0}, {"cluster.ctas", 1}};  // a CTA by itself
      fill(instruction.frame, form, operands);
      return instruction;
    }
  }
  if (!known) throw std::invalid_argument(fmt::format("no form is written `{}`", trimmed.substr(0, blank)));
  throw std::invalid_argument(
      fmt::format("no form of `{}` takes these {} inputs", trimmed.substr(0, blank), operands.size()));
}

std::vector<std::string> results(const Form& form, const Frame& after) {
  std::vector<std::string> texts;
  each_output(form, after, [&](const ir::Operand& operand, const Word& word) {
    texts.push_back(fmt::format("{} = {}", operand.name, print_word(word, operand.type)));
  });
  return texts;
}

std::optional<std::string> check_example(const ir::Program& program, const ir::Example& example) {
  const Instruction instruction = parse_instruction(program, example.instruction, example.expected.size());
  const Outcome outcome = evaluate(program, *instruction.form, instruction.frame);
  if (!outcome.failures.empty()) return fmt::format("undefined: {}", outcome.failures.front().why);
  std::size_t next = 0;
  std::optional<std::string> wrong;
  each_output(*instruction.form, outcome.after, [&](const ir::Operand& operand, const Word& word) {
    if (wrong || next >= example.expected.size()) {
      ++next;
      return;
    }
    const std::string& text = example.expected[next++];
    if (text == "_") return;
    const mpz_class expected = parse_pattern(text, operand.type);
    const mpz_class differs = (expected ^ word.bits) & ~word.unspecified;
    if (differs != 0)
      wrong = fmt::format("{} = {}, not {}", operand.name, print_word(word, operand.type), text);
  });
  if (!wrong && next != example.expected.size())
    return fmt::format("{} results, {} expected", next, example.expected.size());
  return wrong;
}

int eval_command(const ir::Program& program, const std::string& text, std::ostream& out) {
  try {
    const Instruction instruction = parse_instruction(program, text);
    const Outcome outcome = evaluate(program, *instruction.form, instruction.frame);
    for (const Failure& failure : outcome.failures) out << "undefined: " << failure.why << '\n';
    if (!outcome.failures.empty()) return 1;
    for (const std::string& line : results(*instruction.form, outcome.after)) out << line << '\n';
    return 0;
  } catch (const std::invalid_argument& error) {
    out << "error: " << error.what() << '\n';
  } catch (const Unsupported& error) {
    out << "error: cannot be evaluated alone: " << error.what() << '\n';
  }
  return 2;
}

}  // namespace semcc::eval
