#include "semcc/ir/form.h"

#include <algorithm>
#include <regex>

namespace semcc::ir {

bool is_type_word(const std::string& word) {
  static const std::regex shape(
      "(L2::evict_.*|row|col|pred|texref|surfref|samplerref|((u?e[0-9]+m|bf|tf|[busf])[0-9]+(x[0-9]+)?))");
  return std::regex_match(word, shape);
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
