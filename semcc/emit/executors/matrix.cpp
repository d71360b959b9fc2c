// Matrices: fragments gathered from and scattered to rows, tiles of memory, comprehensions, products.
#include "semcc/emit/executors/matrix.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "semcc/emit/executors/body_writer.h"
#include "semcc/emit/executors/executors.h"
#include "semcc/emit/executors/fixed_place.h"
#include "semcc/emit/facts/accesses.h"

namespace semcc::emit {

using ir::Kind;
using ir::Op;
using ir::Stmt;

namespace {

bool depends_on_column(const ir::Expr& expr) {
  if (expr.op == Op::BoundIndex && expr.index == 1) return true;
  for (const ir::ExprPtr& arg : expr.args)
    if (depends_on_column(*arg)) return true;
  return false;
}

// Whether the expression is a sum of which one term is `step` times the column, and no other knows it.
bool advances_by(const ir::Expr& expr, unsigned step) {
  const auto is_column = [](const ir::Expr& e) { return e.op == Op::BoundIndex && e.index == 1; };
  if (is_column(expr)) return step == 1;
  if (expr.op == Op::Wrap && expr.type.width == 64) return advances_by(*expr.args[0], step);
  if (expr.op == Op::Add) {
    const bool left = depends_on_column(*expr.args[0]), right = depends_on_column(*expr.args[1]);
    return left != right && advances_by(*expr.args[left ? 0 : 1], step);
  }
  if (expr.op != Op::Mul) return false;
  for (const int i : {0, 1})
    if (is_column(*expr.args[i]) && expr.args[1 - i]->op == Op::Constant &&
        expr.args[1 - i]->constant == step)
      return true;
  return false;
}

// Rows that a tile can be moved by: their bytes, or 0 if its elements lie apart.
unsigned row_bytes(const ir::Matrix& tile, const ir::Expr& address) {
  const unsigned bytes = tile.type.bits() / 8, all = bytes * tile.columns;
  return (all == 8 || all == 16) && tile.columns > 1 && advances_by(address, bytes) ? all : 0;
}

// Calls cost what they save in forms of registers alone, which are the ones that run most.
bool is_long(const ir::Form& form) {
  return std::any_of(form.body.begin(), form.body.end(), [](const Stmt& statement) {
    return statement.what == Stmt::What::ReadTile || statement.what == Stmt::What::WriteTile ||
           (statement.what == Stmt::What::Multiply && statement.matrices[3] >= 0);
  });
}

bool computes(const ir::Form& form) {
  return std::any_of(form.body.begin(), form.body.end(), [](const Stmt& statement) {
    return statement.what == Stmt::What::Each || statement.what == Stmt::What::Multiply;
  });
}

}  // namespace

std::string tile_name(const char* verb, int index) { return fmt::format("tile_{}_{}", verb, index); }

std::string matrix_element(const ir::Form& form, int index) {
  const ir::Matrix& matrix = form.matrices.at(static_cast<std::size_t>(index));
  // What is only moved is a pattern too: forms of signed and unsigned elements are the same.
  if (matrix.type.kind == Kind::Float || (!computes(form) && matrix.type.width >= 8))
    return unsigned_name(matrix.type.width);
  for (const unsigned width : {8u, 16u, 32u, 64u})
    for (const bool is_signed : {false, true}) {
      const mpz_class count = mpz_class(1) << width;
      const mpz_class low = is_signed ? mpz_class(-(count / 2)) : mpz_class(0);
      if (low <= matrix.range.low && matrix.range.high < low + count)
        return fmt::format("{}{}", is_signed ? "s" : "u", width);
    }
  return "u128";
}

MatrixWriter::MatrixWriter(const ir::Form& form, ExprWriter& exprs, const Stmt& statement)
    : form_(form), exprs_(exprs), statement_(statement), in_parts_(is_long(form)) {
  exprs_.begin({&statement});
}

std::vector<std::string> MatrixWriter::write() {
  switch (statement_.what) {
    case Stmt::What::Gather:
      declare();
      if (!move_registers(statement_.index, true))
        part([&] {
          if (!move_by_table(statement_.index, true)) gather();
        });
      break;
    case Stmt::What::Scatter:
      if (!move_registers(statement_.matrices[0], false))
        part([&] {
          if (!move_by_table(statement_.matrices[0], false)) scatter();
        });
      break;
    case Stmt::What::Each:
      declare();
      part([&] { each(); });
      break;
    case Stmt::What::ReadTile:
      declare();
      tile("read", statement_.index);
      break;
    case Stmt::What::WriteTile:
      tile("write", statement_.matrices[0]);
      break;
    default:
      declare();
      if (statement_.multiply.aligned)
        multiply_aligned();
      else
        part([&] { multiply_exact(); });
  }
  return std::move(lines_);
}

const ir::Matrix& MatrixWriter::matrix(int index) const {
  return form_.matrices.at(static_cast<std::size_t>(index));
}

void MatrixWriter::declare() {
  const ir::Matrix& m = matrix(statement_.index);
  line("alignas(64) {} m{}[{}];", matrix_element(form_, statement_.index), statement_.index,
       m.rows * m.columns);
}

void MatrixWriter::take_lines(const std::string& indent) {
  for (const std::string& text : exprs_.take_lines()) lines_.push_back(indent + text);
}

ir::Expr MatrixWriter::fragment_element(int of_matrix) const {
  ir::Expr element{};
  element.op = Op::Element;
  element.index = of_matrix;
  element.args = statement_.args;
  return element;
}

bool MatrixWriter::move_registers(int of_matrix, bool to_matrix) {
  const ir::Operand& operand = form_.operands.at(static_cast<std::size_t>(statement_.operand));
  const ir::Type& type = operand.type;
  const std::string element = matrix_element(form_, of_matrix);
  if (element != fmt::format("u{}", type.width) ||
      exprs_.element_type(statement_.operand) != unsigned_name(type.width * type.parts))
    return false;
  const auto places = fixed_places(statement_, operand, matrix(of_matrix));
  if (!places || (!is_identity(*places) && (type.width != 16 || places->size() != 64))) return false;
  const std::string row =
      fmt::format("exec::row<void>(warp, step, {} + at)", exprs_.row_index(statement_.operand, 0));
  const std::string piece = fmt::format("m{} + at * {}", of_matrix, places->size());
  line("for (u32 at = 0; at < {}; ++at) {{", operand.count);
  if (is_identity(*places))
    line("  std::memcpy({}, {}, {});", to_matrix ? piece : row, to_matrix ? row : piece,
         places->size() * type.width / 8);
  else
    line("  exec::matrix::permute<{}>({}, {});", fmt::join(to_matrix ? inverse(*places) : *places, ", "),
         to_matrix ? row : piece, to_matrix ? piece : row);
  line("}}");
  return true;
}

bool MatrixWriter::move_by_table(int of_matrix, bool to_matrix) {
  const ir::Operand& operand = form_.operands.at(static_cast<std::size_t>(statement_.operand));
  const ir::Type& type = operand.type;
  // Words that hold one element or two, and patterns of floats, the C++ compiler moves by shuffles, which are
  // faster. Large fragments it leaves as loops in any case, and their tables would take it longer than those.
  constexpr unsigned least_parts = 4, most_elements = 512;
  if (type.kind != Kind::Integer || type.parts < least_parts ||
      operand.count * type.parts * 32 > most_elements)
    return false;
  if (!is_fixed(statement_) || (type.width < 8 && !to_matrix)) return false;
  const std::string word = exprs_.element_type(statement_.operand);
  line("{{");
  line("  static constexpr auto places = exec::matrix::places<{}>([](u32 place0, u32 lane) {{",
       operand.count * type.parts);
  const std::string where = exprs_.place(fragment_element(of_matrix));
  take_lines("    ");
  line("    return {};", where);
  line("  }});");
  line("  for (u32 at = 0; at < {}; ++at)", operand.count);
  const std::string row = fmt::format("exec::row<{}{}>(warp, step, {} + at)", to_matrix ? "const " : "", word,
                                      exprs_.row_index(statement_.operand, 0));
  const std::string table = fmt::format("places.data() + at * {}", 32 * type.parts);
  if (to_matrix)
    line("    exec::matrix::gather<{}, {}>({}, {}, m{});", type.parts, type.width, row, table, of_matrix);
  else
    line("    exec::matrix::scatter<{}, u{}>(m{}, {}, {});", type.parts, type.width, of_matrix, table, row);
  line("}}");
  return true;
}

void MatrixWriter::gather() {
  const ir::Operand& operand = form_.operands.at(static_cast<std::size_t>(statement_.operand));
  const ir::Type& type = operand.type;
  const std::string word = exprs_.element_type(statement_.operand);
  const std::string element = matrix_element(form_, statement_.index);
  line("for (u32 at = 0; at < {}; ++at) {{", operand.count);
  line("  const {0}* const from = exec::row<const {0}>(warp, step, {1} + at);", word,
       exprs_.row_index(statement_.operand, 0));
  line("  for (u32 part = 0; part < {}; ++part) {{", type.parts);
  line("    const u32 place0 = at * {} + part;", type.parts);
  line("    for (u32 lane = 0; lane < 32; ++lane) {{");
  const std::string to = exprs_.element(fragment_element(statement_.index));
  take_lines("      ");
  std::string value = fmt::format("from[lane] >> (part * {})", type.width);
  if (type.parts == 1) value = "from[lane]";
  if (type.width < 8)
    value = type.is_signed ? fmt::format("s32({}) << {} >> {}", value, 32 - type.width, 32 - type.width)
                           : fmt::format("{} & {}", value, (1u << type.width) - 1);
  line("      {} = {}({});", to, element, value);
  line("    }}");
  line("  }}");
  line("}}");
}

void MatrixWriter::scatter() {
  const ir::Operand& operand = form_.operands.at(static_cast<std::size_t>(statement_.operand));
  const ir::Type& type = operand.type;
  const std::string word = exprs_.element_type(statement_.operand);
  line("for (u32 at = 0; at < {}; ++at) {{", operand.count);
  line("  {0}* const to = exec::row<{0}>(warp, step, {1} + at);", word,
       exprs_.row_index(statement_.operand, 0));
  line("  for (u32 lane = 0; lane < 32; ++lane) {{");
  line("    {} word = 0;", word);
  line("    for (u32 part = 0; part < {}; ++part) {{", type.parts);
  line("      const u32 place0 = at * {} + part;", type.parts);
  const std::string from = exprs_.element(fragment_element(statement_.matrices[0]));
  take_lines("      ");
  line("      word |= {}(u{}({})) << (part * {});", word, type.width, from, type.parts == 1 ? 0 : type.width);
  line("    }}");
  line("    to[lane] = word;");
  line("  }}");
  line("}}");
}

void MatrixWriter::each() {
  const ir::Matrix& m = matrix(statement_.index);
  line("for (u32 place0 = 0; place0 < {}; ++place0) {{", m.rows);
  line("#pragma clang loop vectorize(assume_safety)");
  line("  for (u32 place1 = 0; place1 < {}; ++place1) {{", m.columns);
  const std::string value = exprs_.value(statement_.value);
  take_lines("    ");
  line("    m{}[place0 * {} + place1] = {}({});", statement_.index, m.columns,
       matrix_element(form_, statement_.index), value);
  line("  }}");
  line("}}");
}

void MatrixWriter::tile(const char* verb, int index) {
  const ir::Matrix& m = matrix(index);
  const unsigned bytes = row_bytes(m, *statement_.address);
  const unsigned pieces = bytes != 0 ? m.rows : m.rows * m.columns;
  const std::string name = tile_name(verb, index);
  line("alignas(64) u64 {}[{}];", name, pieces);
  part([&] { addresses(name, m, bytes != 0); });
  const unsigned each = bytes != 0 ? bytes : m.type.bits() / 8;
  const std::string space = space_name(statement_.labels.space, statement_.at);
  part([&] {
    line("exec::matrix::{}_tile<{}, {}>(warp, step, {}, {}, m{});", verb, space, each, name, pieces, index);
    if (is_computed_tile(form_, statement_))
      line("exec::tell_tile(warp, {}, {}, {}, {}, {});", space, name, pieces, each,
           statement_.what == Stmt::What::WriteTile);
  });
}

// Of rows whose elements lie together only the first element's address is asked for.
void MatrixWriter::addresses(const std::string& name, const ir::Matrix& tile, bool of_rows) {
  if (of_rows) line("#pragma clang loop vectorize(assume_safety) unroll(disable)");
  line("for (u32 place0 = 0; place0 < {}; ++place0) {{", tile.rows);
  if (of_rows)
    line("  {{ const u32 place1 = 0;");
  else
    line("  for (u32 place1 = 0; place1 < {}; ++place1) {{", tile.columns);
  const std::string where = exprs_.address(statement_.address);
  take_lines("    ");
  line("    {}[place0 * {} + place1] = {};", name, of_rows ? 1 : tile.columns, where);
  line("  }}");
  line("}}");
}

void MatrixWriter::multiply_exact() {
  const int a = statement_.matrices[0], b = statement_.matrices[1], selection = statement_.matrices[3];
  line("exec::matrix::multiply_exact(m{}, m{}, m{}, {}, {}, {}, {});", a, b, statement_.index, matrix(a).rows,
       matrix(b).columns, matrix(a).columns, selection < 0 ? "nullptr" : fmt::format("m{}", selection));
}

void MatrixWriter::multiply_aligned() {
  const ir::Multiply& how = statement_.multiply;
  const int a = statement_.matrices[0], b = statement_.matrices[1], c = statement_.matrices[2],
            selection = statement_.matrices[3];
  const ir::Matrix &left = matrix(a), &right = matrix(b), &product = matrix(statement_.index);
  const auto format = [](const ir::Matrix& m) {
    return fmt::format("exec::matrix::Format::{}", ir::format_name(m.type.format));
  };
  line("exec::matrix::multiply_aligned({{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}}},", format(left),
       format(right), format(product), left.rows, right.columns, left.columns, how.block, how.fraction,
       how.floor, how.significant);
  line("                               m{}, m{}, m{}, m{}, {}, {});", a, b, c, statement_.index,
       selection < 0 ? "nullptr" : fmt::format("m{}", selection), right.rows);
}

void BodyWriter::write_matrix(const Stmt& statement) {
  for (const std::string& text : MatrixWriter(form_, writer_, statement).write()) line(text);
}

}  // namespace semcc::emit
