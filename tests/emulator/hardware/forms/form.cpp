#include "tests/emulator/hardware/forms/form.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <fstream>
#include <optional>
#include <unordered_set>

namespace wedjat::hardware_truth {
namespace {

constexpr std::array<std::string_view, 6> kTypeNames{"b8", "b16", "b32", "b64", "b128", "pred"};

std::optional<Type> type_named(std::string_view name) {
  for (std::size_t i = 0; i < kTypeNames.size(); ++i) {
    if (kTypeNames[i] == name) return static_cast<Type>(i);
  }
  return std::nullopt;
}

// "d.b32", "-s.b32", "s.b32.h1", "s.b32@mask"; false if it is none of them.
bool parse_register(std::string_view text, Operand& operand) {
  operand.minus = text.starts_with("-s");
  if (operand.minus) text.remove_prefix(1);
  if (text.size() < 3 || text[1] != '.' || (text[0] != 'd' && text[0] != 's')) return false;
  operand.role = text[0] == 'd' ? Operand::Role::destination : Operand::Role::source;
  text.remove_prefix(2);
  if (const std::size_t at = text.find('@'); at != text.npos) {
    if (text.substr(at) != "@mask" || operand.role != Operand::Role::source) return false;
    operand.role = Operand::Role::membermask;
    text = text.substr(0, at);
  }
  if (const std::size_t dot = text.find('.'); dot != text.npos) {
    operand.selector = text.substr(dot);
    text = text.substr(0, dot);
  }
  const std::optional<Type> type = type_named(text);
  if (!type) return false;
  operand.type = *type;
  return true;
}

// "{s.b16*4}"
bool parse_vector(std::string_view text, Operand& operand) {
  const std::size_t star = text.find('*');
  if (text.front() != '{' || text.back() != '}' || star == text.npos) return false;
  const char* end = text.data() + text.size() - 1;
  const auto count = std::from_chars(text.data() + star + 1, end, operand.elements);
  return count.ec == std::errc() && count.ptr == end && operand.elements >= 2 && operand.elements <= 8 &&
         parse_register(text.substr(1, star - 1), operand);
}

Operand parse_operand(std::string_view text, std::string_view form) {
  Operand operand;
  const bool literal = !text.empty() && (text[0] == '#' || text[0] == '@');
  if (literal || text == "_") {
    operand.literal = text.substr(literal ? 1 : 0);
  } else if (text.empty() || (!parse_vector(text, operand) && !parse_register(text, operand))) {
    throw InputError(fmt::format("\"{}\": operand \"{}\" is not understood", form, text));
  }
  return operand;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

}  // namespace

std::string_view Form::opcode() const { return std::string_view(mnemonic).substr(0, mnemonic.find('.')); }

std::vector<std::string_view> Form::modifiers() const {
  std::vector<std::string_view> words;
  std::string_view rest = mnemonic;
  while (rest.find('.') != rest.npos) {
    rest.remove_prefix(rest.find('.') + 1);
    words.push_back(rest.substr(0, rest.find('.')));
  }
  return words;
}

std::vector<std::string> expand_alternatives(std::string_view line) {
  std::size_t open = line.find('{');
  while (open != line.npos) {
    const std::size_t close = line.find('}', open);
    if (close == line.npos) throw InputError(fmt::format("\"{}\": '{{' without '}}'", line));
    std::string_view choices = line.substr(open + 1, close - open - 1);
    if (choices.find(',') == choices.npos) {
      open = line.find('{', close);
      continue;
    }
    std::vector<std::string> lines;
    for (bool more = true; more;) {
      const std::size_t comma = choices.find(',');
      more = comma != choices.npos;
      const std::string chosen =
          fmt::format("{}{}{}", line.substr(0, open), choices.substr(0, comma), line.substr(close + 1));
      for (std::string& expanded : expand_alternatives(chosen)) lines.push_back(std::move(expanded));
      if (more) choices.remove_prefix(comma + 1);
    }
    return lines;
  }
  return {std::string(line)};
}

Form parse_form(std::string_view text) {
  Form form;
  form.text = trimmed(text);
  const std::size_t space = form.text.find(' ');
  form.mnemonic = form.text.substr(0, space);
  std::string_view rest =
      space == form.text.npos ? std::string_view() : std::string_view(form.text).substr(space + 1);
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    std::string_view word = trimmed(rest.substr(0, comma));
    rest = comma == rest.npos ? std::string_view() : rest.substr(comma + 1);
    if (word == "!cc.in" || word == "!cc.out") {
      (word == "!cc.in" ? form.carry_in : form.carry_out) = true;
      continue;
    }
    const std::size_t bar = word.find('|');
    form.operands.push_back(parse_operand(word.substr(0, bar), form.text));
    if (bar == word.npos) continue;
    form.operands.push_back(parse_operand(word.substr(bar + 1), form.text));
    form.operands.back().after_bar = true;
  }
  return form;
}

std::vector<Form> read_forms(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw InputError(fmt::format("{}: cannot be read", file.string()));
  std::vector<Form> forms;
  std::unordered_set<std::string> seen;
  std::string line;
  for (unsigned number = 1; std::getline(in, line); ++number) {
    const std::string_view content = trimmed(line);
    if (content.empty() || content[0] == '#') continue;
    try {
      for (const std::string& text : expand_alternatives(content)) {
        forms.push_back(parse_form(text));
        if (!seen.insert(forms.back().text).second)
          throw InputError(fmt::format("\"{}\" is listed twice", text));
      }
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}:{}: {}", file.string(), number, error.what()));
    }
  }
  return forms;
}

}  // namespace wedjat::hardware_truth
