#include "semcc/emit/text/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "semcc/emit/executors/words.h"

namespace semcc::emit {
namespace {

enum class Token { Space, Word, Number, String, Comment, Sign };

constexpr std::array<std::string_view, 40> keywords{
    "aligned",  "control",  "cta",    "else",       "example",     "fence",  "for",     "forall",
    "form",     "function", "hint",   "if",         "import",      "in",     "inout",   "instruction",
    "legal",    "let",      "manual", "misaligned", "modifier",    "note",   "nothing", "on",
    "operands", "out",      "prove",  "refused",    "require",     "return", "since",   "summary",
    "sync",     "thread",   "types",  "undefined",  "unspecified", "var",    "warp",    "when"};

// Splits the first token off.
std::string_view take(std::string_view& text, Token& token) {
  const auto length_while = [&](auto accept) {
    return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), accept) - text.begin());
  };
  std::size_t length = 1;
  token = Token::Sign;
  if (std::isspace(static_cast<unsigned char>(text.front())) != 0) {
    token = Token::Space;
    length = length_while([](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; });
  } else if (is_word(text.front())) {
    token = std::isdigit(static_cast<unsigned char>(text.front())) != 0 ? Token::Number : Token::Word;
    length = length_while(is_word);
  } else if (text.front() == '"') {
    token = Token::String;
    length = std::min(text.find('"', 1), text.size() - 1) + 1;
  } else if (text.starts_with("//")) {
    token = Token::Comment;
    length = std::min(text.find('\n'), text.size());
  }
  const std::string_view taken = text.substr(0, length);
  text.remove_prefix(length);
  return taken;
}

const char* style_of(Token token, std::string_view text) {
  switch (token) {
    case Token::Number:
      return "n";
    case Token::String:
      return "s";
    case Token::Comment:
      return "c";
    case Token::Word:
      return std::binary_search(keywords.begin(), keywords.end(), text) ? "k" : nullptr;
    case Token::Space:
    case Token::Sign:
      break;
  }
  return nullptr;
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

namespace {

std::string styled(std::string_view part, const char* style) {
  return style == nullptr ? escape_html(part)
                          : fmt::format("<span class=\"{}\">{}</span>", style, escape_html(part));
}

}  // namespace

std::string highlight(std::string_view text) {
  std::string out;
  char before = ' ';  // a word behind a dot is a PTX suffix or a type argument, never a keyword
  while (!text.empty()) {
    Token token;
    const std::string_view part = take(text, token);
    out += styled(part, before == '.' ? nullptr : style_of(token, part));
    before = part.back();
  }
  return out;
}

std::string highlight_ptx(std::string_view text) {
  const auto inside = [](char c) { return is_word(c) || c == '.' || c == ':' || c == '%' || c == '$'; };
  std::string out;
  bool starts = true;  // at the start of a statement, where its opcode or directive stands
  while (!text.empty()) {
    std::size_t length = 1;
    const char* style = nullptr;
    const char first = text.front();
    if (text.starts_with("//")) {
      length = std::min(text.find('\n'), text.size());
      style = "c";
      starts = true;
    } else if (starts && first == '@') {  // a guard
      length = std::min(text.find(' '), text.size());
    } else if (inside(first)) {
      length = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), inside) - text.begin());
      const bool label = text[length - 1] == ':';
      const bool digit = std::isdigit(static_cast<unsigned char>(first)) != 0;
      style = starts && !label ? "k" : digit ? "n" : nullptr;
      starts = label;
    } else if (std::isspace(static_cast<unsigned char>(first)) == 0) {
      starts = first == ';' || first == '{' || first == '}';
    } else if (text.starts_with("\n.")) {  // the directives of a module end with their line
      starts = true;
    }
    out += styled(text.substr(0, length), style);
    text.remove_prefix(length);
  }
  return out;
}

std::vector<std::string> form_items(std::string_view instruction) {
  std::vector<std::string> forms;
  int depth = 0;
  bool starts = true, inside = false,
       named = false;  // at the start of an item; within a form; past its colon
  while (!instruction.empty()) {
    Token token;
    const std::string_view part = take(instruction, token);
    if (token == Token::Comment) continue;
    if (inside && part == ";") inside = named = false;
    if (inside && named && !(forms.back().empty() && token == Token::Space))
      forms.back() += token == Token::Space ? " " : std::string(part);
    if (inside && part == ":") named = true;
    if (starts && depth == 1 && part == "form") {
      inside = true;
      forms.emplace_back();
    }
    depth += part == "{" ? 1 : part == "}" ? -1 : 0;
    if (token != Token::Space) starts = part == ";" || part == "{" || part == "}";
  }
  return forms;
}

}  // namespace semcc::emit
