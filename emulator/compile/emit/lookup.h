// Numbers that each lane takes from a constant table.
#pragma once
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>

namespace wedjat::compile {

/// Whether look_up() knows the table: words, not too many.
bool is_small(const llvm::ConstantDataSequential& table);

/// By instructions of AVX-512 that pick lanes from registers: a fetch from memory for each lane takes ten
/// times as long. `places`: a vector of 32 numbers, each less than the table has words. The table is small.
llvm::Value* look_up(llvm::IRBuilder<>& builder, const llvm::ConstantDataSequential& table,
                     llvm::Value* places);

}  // namespace wedjat::compile
