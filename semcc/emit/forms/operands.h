// Operand specifications of all forms: equal lists are written once.
#pragma once
#include <map>
#include <string>

#include "semcc/ir/form.h"

namespace semcc::emit {

class OperandPool {
 public:
  // Position of the form's first operand among all().
  std::size_t add(const ir::Form& form);
  // Rows of `OperandSpec`, each with a comma and newline.
  const std::string& all() const { return text_; }

 private:
  std::map<std::string, std::size_t> known_;
  std::string text_;
  std::size_t size_ = 0;
};

}  // namespace semcc::emit
