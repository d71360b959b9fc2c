// Arithmetic makes all NaNs one. Where its result only goes into arithmetic that does so again, that is too
// early: a chain of sums waits for each test.
#pragma once
#include <llvm/IR/Function.h>

namespace wedjat::compile {

/// Sums, products and roots whose own NaNs are made one take what their operands were before that was done to
/// them: whether a result is NaN does not depend on which NaN an operand is. Through loops too.
void keep_nans_raw(llvm::Function& function);

}  // namespace wedjat::compile
