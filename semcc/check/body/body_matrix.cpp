// Statements of warp bodies that move and make matrices.
#include <fmt/format.h>

#include "semcc/check/body/body.h"

namespace semcc::check {

ir::Stmt& Body::matrix_statement(ir::Stmt::What what, Location at) {
  if (form_.level != ir::Level::Warp || in_lanes)
    throw Refusal{at, "matrices belong to warp bodies, outside forall"};
  if (!guards_.empty()) throw Refusal{at, "a matrix under a condition known only at run time"};
  if (no_locals > 0) throw Refusal{at, "a matrix is made inside an expression"};
  return emit(what, at);
}

int Body::make_matrix(ir::Stmt& statement, const ir::Matrix& shape) {
  form_.matrices.push_back(shape);
  return statement.index = static_cast<int>(form_.matrices.size()) - 1;
}

int Body::gather(int operand, const ir::Matrix& shape, ir::ExprPtr row, ir::ExprPtr column, Location at) {
  const ir::Operand& o = form_.operands[static_cast<std::size_t>(operand)];
  if (!o.in) throw Refusal{at, fmt::format("{} is an output: a body may not read it", o.name)};
  if (!scattered_.empty()) throw Refusal{at, fmt::format("{} is read after a fragment was written", o.name)};
  ir::Stmt& statement = matrix_statement(ir::Stmt::What::Gather, at);
  statement.operand = operand;
  statement.args = {std::move(row), std::move(column)};
  return make_matrix(statement, shape);
}

void Body::scatter(int operand, int matrix, ir::ExprPtr row, ir::ExprPtr column, Location at) {
  const ir::Operand& o = form_.operands[static_cast<std::size_t>(operand)];
  if (!o.out) throw Refusal{at, fmt::format("{} is an input: it cannot be assigned", o.name)};
  if (!scattered_.insert(operand).second) throw Refusal{at, fmt::format("{} is written twice", o.name)};
  ir::Stmt& statement = matrix_statement(ir::Stmt::What::Scatter, at);
  statement.operand = operand;
  statement.matrices = {matrix};
  statement.args = {std::move(row), std::move(column)};
}

int Body::each(const ir::Matrix& shape, ir::ExprPtr value, Location at) {
  ir::Stmt& statement = matrix_statement(ir::Stmt::What::Each, at);
  statement.value = std::move(value);
  return make_matrix(statement, shape);
}

int Body::read_tile(const ir::Matrix& shape, const ir::MemoryLabels& labels, ir::ExprPtr address,
                    Location at) {
  ir::Stmt& statement = matrix_statement(ir::Stmt::What::ReadTile, at);
  statement.type = shape.type;
  statement.labels = labels;
  statement.address = std::move(address);
  return make_matrix(statement, shape);
}

void Body::write_tile(int matrix, const ir::MemoryLabels& labels, ir::ExprPtr address, Location at) {
  ir::Stmt& statement = matrix_statement(ir::Stmt::What::WriteTile, at);
  statement.type = form_.matrices[static_cast<std::size_t>(matrix)].type;
  statement.labels = labels;
  statement.address = std::move(address);
  statement.matrices = {matrix};
}

int Body::multiply(const ir::Matrix& shape, std::vector<int> sources, const ir::Multiply& how, Location at) {
  ir::Stmt& statement = matrix_statement(ir::Stmt::What::Multiply, at);
  statement.matrices = std::move(sources);
  statement.multiply = how;
  return make_matrix(statement, shape);
}

}  // namespace semcc::check
