// Products of matrices.
#include <fmt/format.h>

#include "semcc/check/body/body.h"
#include "semcc/check/types/types.h"

namespace semcc::check {

// multiply.exact(A, B) and multiply.aligned.F(A, B, C, block, fraction, floor, significant, mode), each with
// a last argument S for selected rows of B.
bool Evaluator::multiply(const Callee& c, const front::Expr& e, Value& result) {
  const bool aligned = c.name == "multiply.aligned";
  if (!aligned && c.name != "multiply.exact") return false;
  const std::size_t fixed = aligned ? 8 : 2;
  want_args(c, e, aligned ? 1 : 0, fixed, fixed + 1);
  int a = -1, b = -1, addend = -1, selection = -1;
  const ir::Matrix left = matrix(*e.args[1], a), right = matrix(*e.args[2], b);
  unsigned inner = right.rows;
  if (e.args.size() > fixed + 1) {
    const ir::Matrix chosen = matrix(*e.args[fixed + 1], selection);
    if (chosen.rows != left.rows || chosen.columns != left.columns || chosen.range.low < 0 ||
        chosen.range.high >= right.rows)
      throw Refusal{e.at, "a selection names a row of the right matrix for each element of the left one"};
    inner = left.columns;
  }
  if (left.columns != inner)
    throw Refusal{e.at, fmt::format("a matrix of {} columns times one of {} rows", left.columns, right.rows)};
  ir::Matrix shape{"product", left.rows, right.columns, {}, {}};
  ir::Multiply how;
  if (!aligned) {
    if (left.type.kind != ir::Kind::Integer || right.type.kind != ir::Kind::Integer)
      throw Refusal{e.at, "multiply.exact multiplies integers"};
    const mpz_class corners[] = {left.range.low * right.range.low, left.range.low * right.range.high,
                                 left.range.high * right.range.low, left.range.high * right.range.high};
    shape.type = exact_type();
    shape.range = {inner * *std::min_element(corners, corners + 4),
                   inner * *std::max_element(corners, corners + 4)};
    result = Value::matrix(body_->multiply(shape, {a, b, addend, selection}, how, e.at));
    return true;
  }
  shape.type = suffix_type(c, 0);
  const ir::Matrix start = matrix(*e.args[3], addend);
  const auto floats = [](const ir::Matrix& m) {
    return m.type.kind == ir::Kind::Float && m.type.width <= 32;
  };
  if (!floats(left) || !floats(right) || !floats(shape) || !(start.type == shape.type) ||
      start.rows != shape.rows || start.columns != shape.columns)
    throw Refusal{
        e.at, "multiply.aligned multiplies floats of at most 32 bits and adds a matrix of the result's type"};
  how.aligned = true;
  how.block = extent(*e.args[4], "the products of a block");
  how.fraction = extent(*e.args[5], "the fraction bits");
  how.floor = static_cast<int>(integer(*e.args[6], "the least exponent").get_si());
  how.significant = extent(*e.args[7], "the significant bits");
  how.rounding = rounding(*e.args[8]);
  if (inner % how.block != 0)
    throw Refusal{e.at, fmt::format("{} products are no multiple of blocks of {}", inner, how.block)};
  // What emulator/exec/matrix/aligned.cpp holds.
  if (inner > 128 || left.rows * left.columns > 2048 || right.rows * right.columns > 16384 ||
      shape.columns % 8 != 0)
    throw Refusal{e.at,
                  "multiply.aligned sums at most 128 products; left 2048 elements, right 16384, a multiple "
                  "of 8 columns"};
  result = Value::matrix(body_->multiply(shape, {a, b, addend, selection}, how, e.at));
  return true;
}

}  // namespace semcc::check
