// `trait …;`: what a family says of its forms because no body shows it.
#pragma once
#include "semcc/check/body/evaluator.h"
#include "semcc/ir/form.h"

namespace semcc::check {

// The clauses of one family and how many forms each reached.
class Traits {
 public:
  Traits(const front::Instruction& instruction, const Scope& scope, Mentioned& mentioned)
      : instruction_(instruction), scope_(scope), mentioned_(mentioned), having_(instruction.traits.size()) {}

  // Throws Refusal.
  void fill(const Bound& bound, ir::Form& form);

  // Words that are no traits, and clauses that speak of no form.
  void report_useless(front::Diagnostics& diagnostics) const;

 private:
  const front::Instruction& instruction_;
  const Scope& scope_;
  Mentioned& mentioned_;
  std::vector<long> having_;  // forms, by clause
};

}  // namespace semcc::check
