#include "semcc/emit/manual/spellings.h"

#include <sstream>

namespace semcc::emit {
namespace {

// As Form::key() of the form that a mnemonic without `hints` spells.
std::string key_without(const std::string& mnemonic, const std::set<std::string>& hints) {
  ir::Form form;
  for (const std::string& word : fields(mnemonic, '.')) {
    if (form.opcode.empty()) {
      form.opcode = word;
    } else if (!hints.contains(word)) {
      form.modifiers.push_back(word);
      form.is_type.push_back(ir::is_type_word(word));
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

std::string Spellings::key(const std::string& mnemonic) const {
  std::string key = key_without(mnemonic, {});
  if (keys_.contains(key)) return key;
  const auto hints = hints_.find(mnemonic.substr(0, mnemonic.find('.')));
  return hints == hints_.end() ? key : key_without(mnemonic, hints->second);
}

}  // namespace semcc::emit
