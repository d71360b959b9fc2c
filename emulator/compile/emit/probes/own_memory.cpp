// What is counted for who watches lies in memory that the kernel does not reach, nor anything that is called
// for it. LLVM is told so: then a count goes on in a register from step to step, not through memory each
// time.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>

#include "emulator/compile/emit/region_emitter.h"

namespace wedjat::compile {

// Of functions that have been inlined it is known only where a pointer is seen to come from.
void RegionEmitter::tell_own_memory(bool inlined) {
  if (own_.empty()) return;
  llvm::LLVMContext& context = module_.getContext();
  llvm::MDBuilder make(context);
  if (!inlined)
    own_scope_ = llvm::MDNode::get(
        context, make.createAnonymousAliasScope(make.createAnonymousAliasScopeDomain("watching"), "own"));
  for (llvm::Instruction& each : llvm::instructions(*function_)) {
    if (!each.mayReadOrWriteMemory() || (!inlined && watchers_.contains(&each)) ||
        each.hasMetadata(llvm::LLVMContext::MD_alias_scope) ||
        each.hasMetadata(llvm::LLVMContext::MD_noalias))
      continue;
    const llvm::Value* const pointer = llvm::getLoadStorePointerOperand(&each);
    const llvm::Value* const from = pointer != nullptr ? llvm::getUnderlyingObject(pointer, 0) : nullptr;
    if (from != nullptr && own_.contains(from))
      each.setMetadata(llvm::LLVMContext::MD_alias_scope, own_scope_);
    else if (!inlined || (from != nullptr && llvm::isa<llvm::AllocaInst>(from)))
      each.setMetadata(llvm::LLVMContext::MD_noalias, own_scope_);
  }
}

}  // namespace wedjat::compile
