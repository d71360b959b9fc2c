#include "semcc/emit/executors/shared.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "semcc/emit/executors/words.h"

namespace semcc::emit {
namespace {

// t0, t1 …: what ExprWriter calls its temporaries.
bool is_temporary(const std::string& word) {
  return word.size() > 1 && word[0] == 't' && std::all_of(word.begin() + 1, word.end(), [](char c) {
           return std::isdigit(static_cast<unsigned char>(c)) != 0;
         });
}

// `text` with each of its words replaced by what `instead` makes of it.
template <class Instead>
std::string replaced(const std::string& text, const Instead& instead) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end == at)
      result += text[at++];
    else
      result += instead(text.substr(at, end - at));
    at = std::max(at, end);
  }
  return result;
}

// The text with names that do not depend on where it stands, and what those stand for: c0, c1 …
std::string renamed(const std::string& text, const Declared& declared, std::vector<std::string>& captured) {
  std::map<std::string, std::string> names;
  std::size_t temporaries = 0;
  return replaced(text, [&](const std::string& word) {
    if (const auto known = names.find(word); known != names.end()) return known->second;
    if (is_temporary(word)) return names[word] = fmt::format("t{}", temporaries++);
    if (declared.count(word) == 0) return word;
    names[word] = fmt::format("c{}", captured.size());
    captured.push_back(word);
    return names[word];
  });
}

}  // namespace

std::string piece_name(std::size_t index) { return fmt::format("piece_{}_", index); }

std::string with_piece_names(const std::string& text, const std::vector<std::string>& names) {
  return replaced(text, [&](const std::string& word) {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (word == piece_name(i)) return names[i];
    return word;
  });
}

SharedPiece make_change(const std::string& result, const std::string& parameters, const std::string& body,
                        const Declared& declared) {
  SharedPiece change;
  const std::string text = renamed(body, declared, change.captured);
  std::string members;
  for (std::size_t i = 0; i < change.captured.size(); ++i)
    members += fmt::format("  {} const c{};\n", declared.at(change.captured[i]), i);
  change.text = fmt::format("struct {} {{\n{}  {} operator()({}) const {{\n{}  }}\n}};\n", piece_name(0),
                            members, result, parameters, text);
  return change;
}

SharedPiece make_part(const std::string& result, const std::string& body, const Declared& declared) {
  SharedPiece part;
  const std::string text = renamed(body, declared, part.captured);
  std::string parameters;
  for (std::size_t i = 0; i < part.captured.size(); ++i)
    parameters += fmt::format(", {} const c{}", declared.at(part.captured[i]), i);
  part.text = fmt::format("{} {}(WarpContext& warp, const Step& step{}) {{\n{}}}\n", result, piece_name(0),
                          parameters, text);
  return part;
}

std::vector<std::string> cut_at_marks(const std::string& text) {
  std::vector<std::string> pieces(1);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line == part_mark)
      pieces.emplace_back();
    else
      pieces.back() += line + "\n";
  }
  return pieces;
}

}  // namespace semcc::emit
