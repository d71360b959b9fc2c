// Arithmetic that rounds down, up or to zero, on all lanes: by instructions that name how they round.
#pragma once
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

namespace wedjat::compile {

/// Whether the call is made by round_all(), on a processor with AVX-512.
bool can_round(const llvm::ConstrainedFPIntrinsic& call);

/// `arguments`: vectors of warp_lanes each.
llvm::Value* round_all(llvm::IRBuilder<>& builder, const llvm::ConstrainedFPIntrinsic& call,
                       llvm::ArrayRef<llvm::Value*> arguments);

}  // namespace wedjat::compile
