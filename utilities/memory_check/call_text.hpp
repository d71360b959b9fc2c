// What a call names: `@%p call.uni (%r1), f, (%r2, 3), prototype;`
#pragma once
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace memory_check {

inline bool is_name(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 && text[0] != '-';
}

struct CallText {
  std::vector<std::string> results, arguments;

  explicit CallText(std::string_view text) {
    text.remove_prefix(std::min(text.find("call"), text.size()));
    text.remove_prefix(std::min(text.find_first_of(" \t("), text.size()));
    text = after_blanks(text);
    if (text.starts_with('(')) results = list(text);
    text.remove_prefix(std::min(text.find_first_not_of(", \t"), text.size()));  // the target
    text.remove_prefix(std::min(text.find('('), text.size()));
    if (text.starts_with('(')) arguments = list(text);
  }

 private:
  static std::string_view after_blanks(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\n"), text.size()));
    return text;
  }
  // Of a text that begins with it, which then begins behind it.
  static std::vector<std::string> list(std::string_view& text) {
    std::string_view inside = text.substr(1, text.find(')') - 1);
    text.remove_prefix(std::min(text.find(')') + 1, text.size()));
    std::vector<std::string> all;
    for (inside = after_blanks(inside); !inside.empty(); inside = after_blanks(inside)) {
      const std::size_t end = std::min(inside.find(','), inside.size());
      const std::string_view one = inside.substr(0, end);
      all.emplace_back(one.substr(0, one.find_last_not_of(" \t\n") + 1));
      inside.remove_prefix(std::min(end + 1, inside.size()));
    }
    return all;
  }
};

}  // namespace memory_check
