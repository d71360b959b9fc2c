// Expressions of the checked form as text.
#pragma once
#include <map>
#include <string>

#include "semcc/ir/form.h"

namespace semcc::ir {

class ExprPrinter {
 public:
  explicit ExprPrinter(const Form& form);

  std::string text(const ExprPtr& expr);
  // Definitions ("t1 = a + b") that the texts made since the last call rely on.
  std::vector<std::string> take_definitions();

 private:
  void count(const ExprPtr& expr);
  std::string shape(const Expr& expr);
  std::string leaf(const Expr& expr);
  std::string call(const std::string& name, const Expr& expr);
  std::string infix(const char* sign, const Expr& expr);

  const Form& form_;
  std::map<const Expr*, int> uses_;
  std::map<const Expr*, std::string> names_;
  std::vector<std::string> definitions_;
};

std::string local_text(const Form& form, int local);  // its name; "a%3" where something else is called a, too
std::string matrix_text(const Form& form, int matrix);     // "product#3"
std::string place_text(const Operand& operand, int part);  // "d", "d[1]", "d.part(1)"

}  // namespace semcc::ir
