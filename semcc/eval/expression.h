// The value of one expression in one lane.
#pragma once
#include <optional>
#include <unordered_map>

#include "semcc/eval/eval.h"
#include "semcc/eval/real.h"

namespace semcc::eval {

class Evaluator {
 public:
  Evaluator(const ir::Program& program, const ir::Form& form, const Frame& before)
      : program_(program),
        form_(form),
        before_(before),
        locals_(form.locals.size()),
        matrices_(form.matrices.size()) {}

  Word at_lane(const ir::ExprPtr& expr, unsigned lane);
  // With what a statement over a fragment or a matrix runs over.
  Word at_place(const ir::ExprPtr& expr, unsigned lane, unsigned row, unsigned column = 0) {
    place_ = {row, column};
    return at_lane(expr, lane);
  }
  // Locals: one value for each lane; scalar ones are the same in all.
  void set_local(int local, unsigned lane, Word word) {
    locals_.at(static_cast<std::size_t>(local))[lane] = std::move(word);
  }

  // Elements row after row.
  std::vector<Word>& matrix(int index) { return matrices_.at(static_cast<std::size_t>(index)); }

 private:
  Word element(const ir::Expr& expr);
  Word evaluate(const ir::ExprPtr& expr);
  Word operation(const ir::Expr& expr);
  Word operand(const ir::Expr& expr);
  Word choose(const ir::Expr& expr);
  Word bitwise(const ir::Expr& expr);
  Word arithmetic(const ir::Expr& expr);
  Word truth(const ir::Expr& expr);
  Word floating(const ir::Expr& expr);
  Word rounded(const ir::Expr& expr);
  Word over_lanes(const ir::Expr& expr);
  std::optional<Real> real(const ir::Expr& expr, ir::Rounding rounding);  // nothing: unspecified

  const ir::Program& program_;
  const ir::Form& form_;
  const Frame& before_;
  std::vector<Row> locals_;
  std::vector<std::vector<Word>> matrices_;
  std::array<unsigned, 2> place_{};
  std::unordered_map<const ir::Expr*, Word> known_;  // of the lane being evaluated
  unsigned lane_ = 0, bound_ = 0;
};

}  // namespace semcc::eval
