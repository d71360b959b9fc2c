// Results that are NaN are rare: what becomes of them is computed on a way that is seldom taken.
#pragma once
#include <llvm/IR/Function.h>

namespace wedjat::compile {

/// Of sums, products, quotients and roots whose NaNs are chosen from their operands': where no lane's result
/// is NaN that is the result, and no operand was.
void choose_nans_aside(llvm::Function& function);

}  // namespace wedjat::compile
