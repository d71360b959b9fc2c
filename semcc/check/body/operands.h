// Operand declarations of a family -> the operands of one form.
#pragma once
#include "semcc/check/body/body.h"

namespace semcc::check {

struct FormOperands {
  std::vector<ir::Operand> list;  // in the order written
  std::vector<Filters> filters;
};

// Throws Refusal.
FormOperands operands_of(const front::Instruction& instruction, const front::FormDecl& form,
                         Evaluator& names);

}  // namespace semcc::check
