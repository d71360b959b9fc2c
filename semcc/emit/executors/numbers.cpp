#include "semcc/emit/executors/numbers.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "semcc/emit/executors/words.h"

namespace semcc::emit {
namespace {

// The end of the template arguments or the quoted text that begins at `at`, or `at`.
std::size_t skipped(const std::string& text, std::size_t at) {
  if (text[at] == '"') {
    std::size_t end = at + 1;
    while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
    return end + 1;
  }
  // `name<…>`, but not `a < b`.
  if (text[at] == '<' && at > 0 && is_word(text[at - 1])) {
    const std::size_t end = text.find_first_of(">;", at);
    if (end != std::string::npos && text[end] == '>') return end + 1;
  }
  return at;
}

}  // namespace

std::string Numbered::shape() const {
  std::string text;
  for (std::size_t i = 0; i < pieces.size(); ++i) text += (i == 0 ? "" : "\x01") + pieces[i];
  return text;
}

Numbered cut_at_numbers(const std::string& text) {
  Numbered result;
  std::string piece;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t end = skipped(text, at); end != at) {
      piece += text.substr(at, end - at);
      at = end;
      continue;
    }
    const bool begins = std::isdigit(static_cast<unsigned char>(text[at])) != 0 &&
                        (at == 0 || (!is_word(text[at - 1]) && text[at - 1] != '.'));
    if (!begins) {
      piece += text[at++];
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    const std::string token = text.substr(at, end - at);
    const std::string digits = token.back() == 'u' ? token.substr(0, token.size() - 1) : token;
    const bool decimal =
        std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (decimal && digits.size() < 10) {
      result.pieces.push_back(std::exchange(piece, {}));
      result.numbers.push_back(static_cast<std::uint32_t>(std::stoul(digits)));
      result.sizes_array.push_back(text.compare(end, 2, "];") == 0);
    } else {
      piece += token;
    }
    at = end;
  }
  result.pieces.push_back(piece);
  return result;
}

SharedBody share(const std::vector<Numbered>& bodies) {
  SharedBody result;
  result.arguments.resize(bodies.size());
  std::map<std::vector<std::uint32_t>, std::size_t> parameters;
  const Numbered& first = bodies.front();
  for (std::size_t i = 0; i < first.numbers.size(); ++i) {
    std::vector<std::uint32_t> values;
    for (const Numbered& body : bodies) values.push_back(body.numbers[i]);
    const std::uint32_t most = *std::max_element(values.begin(), values.end());
    const bool same = most == *std::min_element(values.begin(), values.end());
    std::string text = std::to_string(most) + "u";
    if (first.sizes_array[i]) {
      text = std::to_string(most);
    } else if (!same) {
      const auto [place, is_new] = parameters.try_emplace(values, parameters.size());
      if (is_new)
        for (std::size_t body = 0; body < bodies.size(); ++body)
          result.arguments[body].push_back(values[body]);
      text = "p" + std::to_string(place->second);
    } else if (first.pieces[i].ends_with("-") || first.pieces[i].ends_with("- ")) {
      text = std::to_string(most);
    }
    result.text += first.pieces[i] + text;
  }
  result.text += first.pieces.back();
  return result;
}

}  // namespace semcc::emit
