// Writes one statement about matrices. Private to executors_*.cpp.
#pragma once
#include <fmt/format.h>

#include <string>
#include <vector>

#include "semcc/emit/executors/expr.h"
#include "semcc/emit/executors/shared.h"

namespace semcc::emit {

// The C++ type that holds an element of the form's matrix: a pattern, or the narrowest word of its range.
std::string matrix_element(const ir::Form& form, int matrix);

// The array of the addresses of a tile's pieces.
std::string tile_name(const char* verb, int index);

class MatrixWriter {
 public:
  MatrixWriter(const ir::Form& form, ExprWriter& exprs, const ir::Stmt& statement);
  std::vector<std::string> write();

 private:
  // Whole registers, if the layout allows it: `from` and `to` are expressions of pointers.
  bool move_registers(int of_matrix, bool to_matrix);
  // All registers by a table of places, where these are known before.
  bool move_by_table(int of_matrix, bool to_matrix);
  void gather();
  void scatter();
  void each();
  void tile(const char* verb, int index);
  void addresses(const std::string& name, const ir::Matrix& tile, bool of_rows);
  void multiply_exact();
  void multiply_aligned();

  const ir::Matrix& matrix(int index) const;
  void declare();
  // What `write` writes may become a function of its own.
  template <class Write>
  void part(const Write& write) {
    if (in_parts_) lines_.push_back(part_mark);
    write();
    if (in_parts_) lines_.push_back(part_mark);
  }
  ir::Expr fragment_element(int of_matrix) const;  // the element of the matrix that a fragment's element is
  void take_lines(const std::string& indent);
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    lines_.push_back(fmt::format(format, std::forward<Args>(args)...));
  }

  const ir::Form& form_;
  ExprWriter& exprs_;
  const ir::Stmt& statement_;
  const bool in_parts_;
  std::vector<std::string> lines_;
};

}  // namespace semcc::emit
