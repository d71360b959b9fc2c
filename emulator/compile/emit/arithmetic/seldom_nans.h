// Results of doubles that are NaN are rare. To choose among the operands' NaNs takes many more instructions
// than the sum itself; so code asks whether there is any, and chooses on a way that is seldom taken. While
// code is made better, question and choice are one call that nobody looks into: looking takes longer than all
// the rest.
#pragma once
#include <llvm/IR/Module.h>

namespace wedjat::compile {

/// Puts the questions where those calls are.
void inline_choices(llvm::Module& module);

}  // namespace wedjat::compile
