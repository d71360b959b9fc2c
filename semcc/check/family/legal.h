// `legal` rules: which combinations of a form's modifiers exist.
#pragma once
#include "semcc/check/body/evaluator.h"

namespace semcc::check {

// The rules of one family and how often each spoke.
class Legality {
 public:
  Legality(const front::Instruction& instruction, const Scope& scope, Mentioned& mentioned)
      : instruction_(instruction), scope_(scope), mentioned_(mentioned), seen_(instruction.legal.size()) {}

  // Whether the combination is legal; narrows `since` by what available(…) asks for. Throws Refusal.
  bool allows(const Bound& bound, const std::string& form_name, ir::Since& since);

  // Rules that excluded nothing, or everything they were asked about.
  void report_useless(front::Diagnostics& diagnostics) const;

 private:
  struct Seen {
    long excluded = 0, allowed = 0;
    bool adds_availability = false;
  };
  const front::Instruction& instruction_;
  const Scope& scope_;
  Mentioned& mentioned_;
  std::vector<Seen> seen_;
};

}  // namespace semcc::check
