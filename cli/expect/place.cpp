#include "cli/expect/place.h"

#include <algorithm>

#include "cli/expect/sequence.h"

namespace wedjat::expect {
namespace {

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

// `name[inside]`: the inside, if there is one; it is taken away from `text`.
std::optional<std::string> brackets(std::string& text) {
  const auto open = text.find('[');
  if (open == std::string::npos) return std::nullopt;
  if (!text.ends_with(']')) throw std::invalid_argument("']' is missing in '" + text + "'");
  const std::string inside = text.substr(open + 1, text.size() - open - 2);
  text = trimmed(text.substr(0, open));
  return inside;
}

Place parse_place(std::string inside) {
  Place place;
  place.whole = false;
  if (const auto by = inside.find(" by "); by != std::string::npos) {
    place.step = parse_number(trimmed(inside.substr(by + 4)), "a step");
    if (place.step == 0) throw std::invalid_argument("the step is at least 1");
    inside = trimmed(inside.substr(0, by));
  }
  const auto dots = inside.find("..");
  place.first = parse_number(trimmed(inside.substr(0, dots)), "the number of an element");
  if (dots == std::string::npos) {
    place.last = place.first;
  } else if (const std::string last = trimmed(inside.substr(dots + 2)); !last.empty()) {
    place.last = parse_number(last, "the number of an element");
    if (*place.last < place.first) throw std::invalid_argument("the last element stands before the first");
  }
  return place;
}

}  // namespace

Head parse_head(std::span<const Word> words) {
  const auto equals =
      std::find_if(words.begin(), words.end(), [](const Word& word) { return word.text == "="; });
  Head head;
  std::string text;
  for (auto word = words.begin(); word != equals; ++word) text += (text.empty() ? "" : " ") + word->text;
  if (equals != words.end()) {
    head.has_values = true;
    head.values = words.subspan(static_cast<std::size_t>(equals - words.begin()) + 1);
  }
  const auto colon = text.find(':');
  if (colon == std::string::npos)
    throw std::invalid_argument("NAME: TYPE is missing" + (text.empty() ? "" : " in '" + text + "'"));
  head.name = trimmed(text.substr(0, colon));
  std::string type = trimmed(text.substr(colon + 1));
  if (const auto place = brackets(head.name)) head.place = parse_place(trimmed(*place));
  if (const auto count = brackets(type)) head.count = parse_number(trimmed(*count), "a number of elements");
  if (head.name.empty() || head.name.find(' ') != std::string::npos)
    throw std::invalid_argument("'" + head.name + "' is no name");
  const auto known = type_named(type);
  if (!known)
    throw std::invalid_argument("there is no type '" + type +
                                "': u8 … u64, s8 … s64, i8 … i64, b8 … b128, f16, bf16, f32, f64");
  head.type = *known;
  return head;
}

}  // namespace wedjat::expect
