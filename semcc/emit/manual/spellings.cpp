#include "semcc/emit/manual/spellings.h"

#include <cstdint>
#include <sstream>

namespace semcc::emit {
namespace {

// As Form::key() of the form of these words, without those that `left_out` has a bit for.
std::string key_of(const std::vector<std::string>& words, std::uint64_t left_out) {
  ir::Form form;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (form.opcode.empty()) {
      form.opcode = words[i];
    } else if ((left_out >> i & 1) == 0) {
      form.modifiers.push_back(words[i]);
      form.is_type.push_back(ir::is_type_word(words[i]));
    }
  }
  return form.key();
}

}  // namespace

std::vector<std::string> fields(const std::string& line, char separator) {
  std::vector<std::string> all;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, separator);) all.push_back(field);
  return all;
}

Spellings::Spellings(const ir::Program& program) {
  for (const ir::Family& family : program.families)
    for (const ir::Form& form : family.forms) {
      keys_.insert(form.key());
      for (const auto& group : form.hints) hints_[form.opcode].insert(group.begin(), group.end());
    }
}

// A word may be a hint of one form and part of the name of another: every choice of them is tried.
std::string Spellings::key(const std::string& mnemonic) const {
  const std::vector<std::string> words = fields(mnemonic, '.');
  std::uint64_t hints = 0;
  if (const auto found = hints_.find(words.empty() ? "" : words.front()); found != hints_.end())
    for (std::size_t i = 1; i < words.size() && i < 64; ++i)
      if (found->second.contains(words[i])) hints |= std::uint64_t{1} << i;
  std::uint64_t left_out = 0;
  do {
    if (std::string key = key_of(words, left_out); keys_.contains(key)) return key;
    left_out = (left_out - hints) & hints;  // the next choice
  } while (left_out != 0);
  return key_of(words, 0);
}

}  // namespace semcc::emit
