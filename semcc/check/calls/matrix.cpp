// Matrices of a warp: fragments, tiles of memory, comprehensions.
#include <fmt/format.h>

#include "semcc/check/body/body.h"
#include "semcc/check/types/types.h"

namespace semcc::check {

using ir::Op;
using What = front::Expr::What;

namespace {

constexpr unsigned most_elements = 1u << 16;

ir::ExprPtr place(Op op, int index, const mpz_class& count, Location at) {
  ir::Expr e{};
  e.op = op;
  e.type = exact_type();
  e.range = {0, count - 1};
  e.index = index;
  e.at = at;
  return std::make_shared<const ir::Expr>(std::move(e));
}

void want_within(const ir::ExprPtr& e, unsigned count, const char* what) {
  build::want_integer(e, what);
  if (e->range.low < 0 || e->range.high >= count)
    throw Refusal{e->at, fmt::format("{} is 0..{}, but this may be {}..{}", what, count - 1,
                                     e->range.low.get_str(), e->range.high.get_str())};
}

// The number after a letter of a shape: m in m16n8k4 is 16.
std::optional<unsigned> number_after(const std::string& shape, char letter) {
  const auto at = shape.find(letter);
  if (at == std::string::npos || at + 1 >= shape.size() || shape[at + 1] < '0' || shape[at + 1] > '9')
    return {};
  return static_cast<unsigned>(std::stoul(shape.substr(at + 1)));
}

}  // namespace

const ir::Matrix& Evaluator::matrix(const front::Expr& e, int& index) {
  const Value v = value(e);
  if (!v.is(Value::What::Matrix)) throw Refusal{e.at, "this must be a matrix"};
  index = v.index;
  return body_->form().matrices[static_cast<std::size_t>(index)];
}

unsigned Evaluator::extent(const front::Expr& e, const char* what) {
  const mpz_class n = integer(e, what);
  if (n < 1 || n > most_elements) throw Refusal{e.at, fmt::format("{} is 1..{}", what, most_elements)};
  return static_cast<unsigned>(n.get_ui());
}

Value Evaluator::element(const front::Expr& e) {
  int index = -1;
  const ir::Matrix& m = matrix(*e.args[0], index);
  ir::Expr result{};
  result.op = Op::Element;
  result.type = m.type;
  result.range = m.range;
  result.args = {number(*e.args[1]), number(*e.args[2])};
  want_within(result.args[0], m.rows, "a row of this matrix");
  want_within(result.args[1], m.columns, "a column of this matrix");
  result.index = index;
  result.at = e.at;
  return Value::number(std::make_shared<const ir::Expr>(std::move(result)));
}

// `(row, column) => expression` with both bound.
ir::ExprPtr Evaluator::over_places(const front::Expr& lambda, unsigned rows, unsigned columns) {
  if (lambda.what != What::PairLambda) throw Refusal{lambda.at, "here stands `(row, column) => expression`"};
  push();
  define(lambda.args[0]->text, Value::number(place(Op::BoundIndex, 0, rows, lambda.args[0]->at)));
  define(lambda.args[1]->text, Value::number(place(Op::BoundIndex, 1, columns, lambda.args[1]->at)));
  ++body_->no_locals;
  struct Leave {
    Evaluator& names;
    ~Leave() {
      --names.body_->no_locals;
      names.pop();
    }
  } leave{*this};
  return number(*lambda.args[2]);
}

// rows(x), columns(x), depth(x): of a matrix, or of a shape like m16n8k4.
bool Evaluator::matrix_shape(const Callee& c, const front::Expr& e, Value& result) {
  static const std::map<std::string, char> letters{{"rows", 'm'}, {"columns", 'n'}, {"depth", 'k'}};
  const auto letter = letters.find(c.name);
  if (letter == letters.end()) return false;
  want_args(c, e, 0, 1);
  const Value of = value(*e.args[1]);
  if (of.is(Value::What::Matrix) && letter->second != 'k') {
    const ir::Matrix& m = body_->form().matrices[static_cast<std::size_t>(of.index)];
    result = Value::number(build::constant(letter->second == 'm' ? m.rows : m.columns, e.at));
    return true;
  }
  const std::optional<unsigned> n =
      of.is(Value::What::Word) ? number_after(of.word, letter->second) : std::nullopt;
  if (!n) throw Refusal{e.at, fmt::format("{} is asked of a matrix or of a shape like m16n8k4", c.name)};
  result = Value::number(build::constant(*n, e.at));
  return true;
}

// gather(operand, layout, rows, columns) and scatter(operand, layout, matrix).
bool Evaluator::fragment(const Callee& c, const front::Expr& e, Value& result) {
  const bool gathers = c.name == "gather";
  if (!gathers && c.name != "scatter") return false;
  want_args(c, e, 0, gathers ? 4 : 3);
  const Value operand = value(*e.args[1]);
  if (!operand.is(Value::What::Operand) || operand.element >= 0)
    throw Refusal{e.args[1]->at, "a fragment is an operand"};
  const ir::Operand& o = body_->form().operands[static_cast<std::size_t>(operand.index)];
  const auto layout = scope_->layouts.find(e.args[2]->text);
  if (e.args[2]->what != What::Name || layout == scope_->layouts.end())
    throw Refusal{e.args[2]->at, "here stands the name of a layout"};
  int source = -1;
  ir::Matrix shape;
  if (gathers) {
    shape = {o.name,
             extent(*e.args[3], "the rows of a matrix"),
             extent(*e.args[4], "the columns of a matrix"),
             o.type,
             {}};
    shape.type.parts = 1;
    if (shape.type.kind == ir::Kind::Integer) shape.range = ir::range_of(shape.type);
  } else {
    shape = matrix(*e.args[3], source);
    ir::Type part = o.type;
    part.parts = 1;
    if (!(shape.type == part))
      throw Refusal{e.at,
                    fmt::format("{} holds {}, but the matrix {}", o.name, part.name(), shape.type.name())};
  }
  const front::LayoutDecl& l = *layout->second;
  frames_.push_back({{}});
  define(l.params[0], Value::number(place(Op::Lane, -1, 32, e.at)));
  define(l.params[1], Value::number(place(Op::BoundIndex, 0, o.count * o.type.parts, e.at)));
  define(l.params[2], Value::number(build::constant(o.type.parts, e.at)));
  ++body_->no_locals;
  struct Leave {
    Evaluator& names;
    ~Leave() {
      --names.body_->no_locals;
      names.frames_.pop_back();
    }
  };
  ir::ExprPtr row, column;
  {
    Leave leave{*this};
    row = number(*l.row);
    column = number(*l.column);
  }
  want_within(row, shape.rows, "a row of this matrix");
  want_within(column, shape.columns, "a column of this matrix");
  if (gathers)
    result = Value::matrix(body_->gather(operand.index, shape, row, column, e.at));
  else
    body_->scatter(operand.index, source, row, column, e.at);
  return true;
}

// memory.tile.T(rows, columns, space, (r, c) => address), memory.write_tile(matrix, space, (r, c) => address)
bool Evaluator::tile(const Callee& c, const front::Expr& e, Value& result) {
  const bool reads = c.name == "memory.tile";
  if (!reads && c.name != "memory.write_tile") return false;
  want_args(c, e, reads ? 1 : 0, reads ? 4 : 3);
  int source = -1;
  ir::Matrix shape;
  if (reads) {
    const ir::Type type = suffix_type(c, 0);
    shape = {"tile", extent(*e.args[1], "the rows of a matrix"),
             extent(*e.args[2], "the columns of a matrix"), type, ir::range_of(type)};
  } else {
    shape = matrix(*e.args[1], source);
  }
  if (shape.type.width < 8 || shape.type.parts > 1 || shape.type.kind == ir::Kind::Pred)
    throw Refusal{
        e.at, fmt::format("memory holds integers and floats of 8 to 128 bits, not {}", shape.type.name())};
  const std::size_t space = reads ? 3 : 2;
  const ir::MemoryLabels where = labels(e.args, space, 5, e.at);
  const ir::ExprPtr address = over_places(*e.args[space + 1], shape.rows, shape.columns);
  build::want_integer(address, "an address");
  if (reads)
    result = Value::matrix(body_->read_tile(shape, where, address, e.at));
  else
    body_->write_tile(source, where, address, e.at);
  return true;
}

bool Evaluator::call_matrix(const Callee& c, const front::Expr& e, Value& result) {
  if (matrix_shape(c, e, result)) return true;
  if (c.name != "each" && c.name != "gather" && c.name != "scatter" && c.name != "memory.tile" &&
      c.name != "memory.write_tile" && c.name.rfind("multiply.", 0) != 0)
    return false;
  if (!body_) throw Refusal{e.at, "matrices are made in a body"};
  if (fragment(c, e, result) || tile(c, e, result) || multiply(c, e, result)) return true;
  if (c.name != "each") return false;
  want_args(c, e, 0, 3);  // each(rows, columns, (r, c) => value)
  ir::Matrix shape{"each",
                   extent(*e.args[1], "the rows of a matrix"),
                   extent(*e.args[2], "the columns of a matrix"),
                   {},
                   {}};
  const ir::ExprPtr value = over_places(*e.args[3], shape.rows, shape.columns);
  if (value->type.kind != ir::Kind::Integer && value->type.kind != ir::Kind::Float)
    throw Refusal{e.at, "a matrix holds integers or floats"};
  shape.type = value->type;
  shape.range = value->range;
  result = Value::matrix(body_->each(shape, value, e.at));
  return true;
}

}  // namespace semcc::check
