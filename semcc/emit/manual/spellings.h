// Whose form a mnemonic of the inventory is: there they are spelled with hints, forms without.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "semcc/ir/form.h"

namespace semcc::emit {

class Spellings {
 public:
  explicit Spellings(const ir::Program& program);
  std::string key(const std::string& mnemonic) const;  // Form::key() of the form

 private:
  std::set<std::string> keys_;
  std::map<std::string, std::set<std::string>> hints_;  // of all forms of an opcode
};

std::vector<std::string> fields(const std::string& line, char separator);

}  // namespace semcc::emit
