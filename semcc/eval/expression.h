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
      : program_(program), form_(form), before_(before), locals_(form.locals.size()) {}

  Word at_lane(const ir::ExprPtr& expr, unsigned lane);
  // Locals: one value for each lane; scalar ones are the same in all.
  void set_local(int local, unsigned lane, Word word) {
    locals_.at(static_cast<std::size_t>(local))[lane] = std::move(word);
  }

 private:
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
  std::unordered_map<const ir::Expr*, Word> known_;  // of the lane being evaluated
  unsigned lane_ = 0, bound_ = 0;
};

}  // namespace semcc::eval
