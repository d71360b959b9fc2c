#include "semcc/eval/matrix.h"

#include <fmt/format.h>

#include "semcc/eval/aligned.h"
#include "semcc/eval/memory.h"

namespace semcc::eval {
namespace {

using ir::Stmt;

class Matrices {
 public:
  Matrices(const Stmt& statement, const ir::Form& form, Evaluator& evaluator, Frame& after)
      : statement_(statement), form_(form), evaluator_(evaluator), after_(after) {}

  void run() {
    switch (statement_.what) {
      case Stmt::What::Gather:
        return gather();
      case Stmt::What::Scatter:
        return scatter();
      case Stmt::What::Each:
        return make([&](unsigned r, unsigned c) { return evaluator_.at_place(statement_.value, 0, r, c); });
      case Stmt::What::ReadTile:
        return make([&](unsigned r, unsigned c) { return load(after_.memory, statement_, address(r, c)); });
      case Stmt::What::WriteTile:
        return write_tile();
      default:
        return multiply();
    }
  }

 private:
  const ir::Matrix& shape(int matrix) const { return form_.matrices.at(static_cast<std::size_t>(matrix)); }
  const ir::Operand& operand() const {
    return form_.operands.at(static_cast<std::size_t>(statement_.operand));
  }
  std::uint64_t address(unsigned row, unsigned column) {
    return address_of(evaluator_.at_place(statement_.address, 0, row, column));
  }

  template <class Value>
  void make(const Value& value) {
    const ir::Matrix& m = shape(statement_.index);
    std::vector<Word> elements;
    for (unsigned r = 0; r < m.rows; ++r)
      for (unsigned c = 0; c < m.columns; ++c) elements.push_back(value(r, c));
    evaluator_.matrix(statement_.index) = std::move(elements);
  }

  // Calls visit(lane, element, row, column).
  template <class Visit>
  void each_place(const Visit& visit) {
    const unsigned elements = operand().count * operand().type.parts;
    for (unsigned lane = 0; lane < lanes; ++lane)
      for (unsigned e = 0; e < elements; ++e) {
        const mpz_class row = evaluator_.at_place(statement_.args[0], lane, e).bits;
        const mpz_class column = evaluator_.at_place(statement_.args[1], lane, e).bits;
        visit(lane, e, row.get_ui(), column.get_ui());
      }
  }

  void gather() {
    const ir::Matrix& m = shape(statement_.index);
    const ir::Type& type = operand().type;
    std::vector<Word> elements(std::size_t{m.rows} * m.columns);
    std::vector<bool> given(elements.size());
    each_place([&](unsigned lane, unsigned e, std::size_t row, std::size_t column) {
      const Word& word =
          after_.operands.at(static_cast<std::size_t>(statement_.operand)).at(e / type.parts)[lane];
      if (!word.known()) throw Unsupported("unspecified bits in a fragment");
      mpz_class bits = word.bits >> (e % type.parts * type.width);
      mpz_fdiv_r_2exp(bits.get_mpz_t(), bits.get_mpz_t(), type.width);
      const bool is_negative = type.kind == ir::Kind::Integer && type.is_signed &&
                               mpz_tstbit(bits.get_mpz_t(), type.width - 1) != 0;
      elements.at(row * m.columns + column).bits =
          is_negative ? mpz_class(bits - (mpz_class(1) << type.width)) : bits;
      given.at(row * m.columns + column) = true;
    });
    for (std::size_t i = 0; i < given.size(); ++i)
      if (!given[i])
        throw std::logic_error(fmt::format("{}: no lane holds row {}, column {} of {}", form_.text(),
                                           i / m.columns, i % m.columns, operand().name));
    evaluator_.matrix(statement_.index) = std::move(elements);
  }

  void scatter() {
    const std::vector<Word>& from = evaluator_.matrix(statement_.matrices[0]);
    const unsigned columns = shape(statement_.matrices[0]).columns;
    const ir::Type& type = operand().type;
    each_place([&](unsigned lane, unsigned e, std::size_t row, std::size_t column) {
      Word& to = after_.operands.at(static_cast<std::size_t>(statement_.operand)).at(e / type.parts)[lane];
      const Word& value = from.at(row * columns + column);
      const unsigned shift = e % type.parts * type.width;
      const mpz_class mask = ((mpz_class(1) << type.width) - 1) << shift;
      to.bits = (to.bits & ~mask) | ((value.bits << shift) & mask);
      to.unspecified = (to.unspecified & ~mask) | ((value.unspecified << shift) & mask);
      to.nan = type.parts == 1 && value.nan;
    });
  }

  void write_tile() {
    const ir::Matrix& m = shape(statement_.matrices[0]);
    const std::vector<Word> from = evaluator_.matrix(statement_.matrices[0]);
    for (unsigned r = 0; r < m.rows; ++r)
      for (unsigned c = 0; c < m.columns; ++c)
        store(after_.memory, statement_, address(r, c), from.at(std::size_t{r} * m.columns + c));
  }

  void multiply() {
    const int a = statement_.matrices[0], b = statement_.matrices[1], c = statement_.matrices[2],
              selection = statement_.matrices[3];
    const unsigned inner = shape(a).columns;
    const auto element = [&](int matrix, unsigned row, unsigned column) -> const mpz_class& {
      const Word& word = evaluator_.matrix(matrix).at(std::size_t{row} * shape(matrix).columns + column);
      if (!word.known()) throw Unsupported("unspecified bits in a product");
      return word.bits;
    };
    make([&](unsigned m, unsigned n) -> Word {
      std::vector<Pattern> left, right;
      mpz_class sum;
      for (unsigned k = 0; k < inner; ++k) {
        const unsigned row = selection < 0 ? k : static_cast<unsigned>(element(selection, m, k).get_ui());
        left.push_back({element(a, m, k), shape(a).type.format});
        right.push_back({element(b, row, n), shape(b).type.format});
        if (!statement_.multiply.aligned) sum += left.back().bits * right.back().bits;
      }
      if (!statement_.multiply.aligned) return {sum, 0};
      return {aligned_sum(statement_.multiply, shape(statement_.index).type.format, left, right,
                          element(c, m, n)),
              0};
    });
  }

  const Stmt& statement_;
  const ir::Form& form_;
  Evaluator& evaluator_;
  Frame& after_;
};

}  // namespace

void execute_matrix(const ir::Stmt& statement, const ir::Form& form, Evaluator& evaluator, Frame& after) {
  Matrices(statement, form, evaluator, after).run();
}

}  // namespace semcc::eval
