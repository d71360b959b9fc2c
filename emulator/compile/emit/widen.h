// A lane function for all lanes of a warp: once where its operands are the same for all, on affine numbers
// where the instruction allows it, else on vectors.
#pragma once
#include <llvm/IR/Function.h>

#include <functional>
#include <map>
#include <vector>

#include "emulator/compile/emit/value.h"

namespace wedjat::compile {

/// Whether every instruction of it has a form for vectors.
bool can_widen(const llvm::Function& lane);

/// An element of a row, by Step::row index. Of a value that only its shape matters of, nothing else is set.
struct RowElement {
  Value value;
  unsigned bits = 32;  ///< of an element; 1: a predicate
};
using RowElements = std::map<unsigned, RowElement>;

struct Widening {
  Values& values;
  llvm::IRBuilder<>& builder;
  bool avx512;  ///< the processor has it
  /// Called with what must hold before anything else of the step happens.
  std::function<void(llvm::Value*)> require;
};

/// What the function writes. Without `how` no code is made: the results have shapes alone.
std::map<unsigned, Value> widen(const llvm::Function& lane, RowElements inputs, const Widening* how);
/// The shapes that results have even where affine numbers wrap around when they are widened.
std::map<unsigned, Value> certain_shapes(const llvm::Function& lane, RowElements inputs);

}  // namespace wedjat::compile
