#include "cli/expect/lines.h"

#include <fmt/format.h>

#include <cctype>
#include <sstream>

#include "cli/expect/case.h"

namespace wedjat::expect {
namespace {

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// Where the text behind a comment's mark and blanks begins; npos: no comment from `from` on.
std::size_t behind_mark(const std::string& line, std::size_t from) {
  for (std::size_t at = from; at < line.size(); ++at) {
    const bool slashes = line.compare(at, 2, "//") == 0;
    if (!slashes && line[at] != ';' && line[at] != '#') continue;
    at += slashes ? 2 : 1;
    while (at < line.size() && (blank(line[at]) || line[at] == line[at - 1])) ++at;
    return at;
  }
  return std::string::npos;
}

char escaped(char c, const std::string& where) {
  if (c == 'n') return '\n';
  if (c == 't') return '\t';
  if (c == 'r') return '\r';
  if (c == '"' || c == '\\') return c;
  throw DirectiveError(fmt::format("{}: \\{} is no escape (\\n \\t \\r \\\" \\\\)", where, c));
}

// Blanks and commas separate words; `:` and `=` that stand alone are words.
void split(const std::string& text, const std::string& where, std::vector<Word>& words) {
  for (std::size_t at = 0; at < text.size();) {
    if (blank(text[at])) {
      ++at;
      continue;
    }
    Word word;
    if (text[at] == '"') {
      word.quoted = true;
      for (++at; at < text.size() && text[at] != '"'; ++at) {
        if (text[at] == '\\' && at + 1 < text.size())
          word.text += escaped(text[++at], where);
        else
          word.text += text[at];
      }
      if (at == text.size()) throw DirectiveError(fmt::format("{}: a text has no end: \" is missing", where));
      ++at;
    } else {
      while (at < text.size() && !blank(text[at]) && text[at] != '"') word.text += text[at++];
    }
    words.push_back(std::move(word));
  }
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

std::vector<Directive> find_directives(const std::string& file, const std::string& text) {
  std::vector<Directive> all;
  std::istringstream in(text);
  std::string line;
  for (unsigned number = 1; std::getline(in, line); ++number) {
    const std::string where = fmt::format("{}:{}", file, number);
    for (std::size_t at = behind_mark(line, 0); at != std::string::npos; at = behind_mark(line, at)) {
      const std::string start = line.substr(at, 9);
      const bool new_one = start.starts_with("wedjat:"), goes_on = start.starts_with("wedjat+:");
      if (!new_one && !goes_on) {
        const std::string near = lower(start);
        if (near.starts_with("wedjat:") || near.starts_with("wedjat :") || near.starts_with("wedjat+") ||
            near.starts_with("wedjat -"))
          throw DirectiveError(where + ": directives begin with 'wedjat:', what goes on with 'wedjat+:'");
        continue;
      }
      if (new_one) all.push_back({number, {}});
      if (all.empty()) throw DirectiveError(where + ": 'wedjat+:' goes on with no directive");
      split(line.substr(at + (new_one ? 7 : 8)), where, all.back().words);
      if (all.back().words.empty()) throw DirectiveError(where + ": the directive is empty");
      break;
    }
  }
  return all;
}

}  // namespace wedjat::expect
