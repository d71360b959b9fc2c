// What is known of NaNs from the instructions alone.
#pragma once
#include <llvm/ADT/APInt.h>
#include <llvm/IR/Value.h>

namespace wedjat::compile {

/// A sum, product, quotient or root of singles or doubles: a NaN operand makes it NaN, whichever it is.
bool passes_nans(const llvm::Value* value);
/// What was asked whether it is NaN; null if that is no such question. A float, or the bits of one.
llvm::Value* asked_for_nan(llvm::Value* question);
bool is_bits_of_nan(const llvm::APInt& bits);

}  // namespace wedjat::compile
