#include "emulator/hooks/operand_text.h"

namespace wedjat::hooks {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == ';')) text.remove_suffix(1);
  return text;
}

}  // namespace

WrittenInstruction take_apart(std::string_view text) {
  WrittenInstruction written;
  text = trimmed(text);
  if (text.starts_with('@')) {
    std::size_t end = text.find(' ');
    if (text.starts_with("@ ") || text.starts_with("@! "))
      end = text.find(' ', text.find_first_not_of("@! "));
    std::string_view guard = trimmed(text.substr(1, end - 1));
    written.guard_negated = guard.starts_with('!');
    if (written.guard_negated) guard = trimmed(guard.substr(1));
    written.guard = guard;
    text = end == std::string_view::npos ? "" : trimmed(text.substr(end));
  }
  const std::size_t mnemonic = text.find(' ');
  if (mnemonic == std::string_view::npos) return written;
  text = trimmed(text.substr(mnemonic));
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '{' || c == '[' || c == '(') ++depth;
    if (c == '}' || c == ']' || c == ')') --depth;
    if (i == text.size() || (depth == 0 && (c == ',' || c == '|'))) {
      written.operands.emplace_back(trimmed(text.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  return written;
}

}  // namespace wedjat::hooks
