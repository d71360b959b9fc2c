#include "semcc/ir/form.h"

#include <algorithm>
#include <array>

namespace semcc::ir {

bool is_type_word(std::string_view word) {
  static constexpr std::array<std::string_view, 6> names = {"row",    "col",     "pred",
                                                            "texref", "surfref", "samplerref"};
  const auto take = [&](std::string_view start) {
    const bool is_there = word.starts_with(start);
    if (is_there) word.remove_prefix(start.size());
    return is_there;
  };
  const auto take_number = [&] {
    const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
    word.remove_prefix(digits);
    return digits != 0;
  };
  if (take("L2::evict_") || std::ranges::find(names, word) != names.end()) return true;
  const bool is_small_float = take("ue") || take("e");  // e4m3, ue8m0
  if (is_small_float && !(take_number() && take("m"))) return false;
  if (!is_small_float && !take("bf") && !take("tf") && !take("b") && !take("u") && !take("s") && !take("f"))
    return false;
  return take_number() && (word.empty() || (take("x") && take_number() && word.empty()));
}

std::string Form::text() const {
  std::string out = opcode;
  for (const std::string& word : modifiers) out += "." + word;
  return out;
}

std::string Form::key() const {
  std::string out = opcode;
  std::vector<std::string> others;
  for (std::size_t i = 0; i < modifiers.size(); ++i) {
    if (is_type[i])
      out += "." + modifiers[i];
    else
      others.push_back(modifiers[i]);
  }
  std::sort(others.begin(), others.end());
  others.erase(std::unique(others.begin(), others.end()), others.end());
  for (const std::string& word : others) out += "." + word;
  return out;
}

}  // namespace semcc::ir
