#include "emulator/hooks/inspection/operand_text.h"

namespace wedjat::hooks {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == ';')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::vector<WrittenOperand> operands_in(std::string_view text) {
  std::vector<WrittenOperand> operands;
  text = trimmed(text);
  const std::size_t mnemonic = text.find(' ');
  if (mnemonic == std::string_view::npos) return operands;
  text = trimmed(text.substr(mnemonic));
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '{' || c == '[' || c == '(') ++depth;
    if (c == '}' || c == ']' || c == ')') --depth;
    if (i == text.size() || (depth == 0 && (c == ',' || c == '|'))) {
      operands.push_back(
          {std::string(trimmed(text.substr(begin, i - begin))), begin != 0 && text[begin - 1] == '|'});
      begin = i + 1;
    }
  }
  return operands;
}

}  // namespace wedjat::hooks
