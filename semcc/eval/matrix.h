// Statements of warp bodies that move and make matrices, element by element.
#pragma once
#include "semcc/eval/expression.h"

namespace semcc::eval {

void execute_matrix(const ir::Stmt& statement, const ir::Form& form, Evaluator& evaluator, Frame& after);

}  // namespace semcc::eval
