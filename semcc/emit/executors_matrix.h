// Writes one statement about matrices. Private to executors_*.cpp.
#pragma once
#include <fmt/format.h>

#include <string>
#include <vector>

#include "semcc/emit/executors_expr.h"

namespace semcc::emit {

// The C++ type that holds an element of it: a pattern, or the narrowest word of its range.
std::string matrix_element(const ir::Matrix& matrix);

class MatrixWriter {
 public:
  MatrixWriter(const ir::Form& form, ExprWriter& exprs, const ir::Stmt& statement);
  std::vector<std::string> write();

 private:
  // Whole registers, if the layout allows it: `from` and `to` are expressions of pointers.
  bool move_registers(const ir::Operand& operand, int of_matrix, bool to_matrix);
  void gather();
  void scatter();
  void each();
  void tile(const char* verb, int index);
  void multiply();

  const ir::Matrix& matrix(int index) const;
  void declare();
  std::string place(int of_matrix);  // the element that a fragment's element is
  void take_lines(const std::string& indent);
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    lines_.push_back(fmt::format(format, std::forward<Args>(args)...));
  }

  const ir::Form& form_;
  ExprWriter& exprs_;
  const ir::Stmt& statement_;
  std::vector<std::string> lines_;
};

}  // namespace semcc::emit
