// What is counted for who watches lies in memory that the kernel does not reach, nor anything that is called
// for it. LLVM is told so: then a count goes on in a register from step to step, not through memory each
// time.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>

#include "emulator/compile/emit/late_calls.h"
#include "emulator/compile/emit/region_emitter.h"

namespace wedjat::compile {

// The counts of who watches: memory that nothing else points to, of which a loop may write no more than it
// has when it is left. That is said as of memory which a function has just made; what the function does
// instead is not to be seen.
llvm::Value* RegionEmitter::counts_at(llvm::Value* pointer) {
  const exec::Probes& probes = *liveness_.probes();
  const std::uint32_t counts = probes.cells;
  // A handler may look at what has been counted.
  if (counts == 0 || llvm::any_of(probes.all, [](const exec::Probe& one) { return one.call != nullptr; }))
    return pointer;
  constexpr const char* name = "counts";
  llvm::Function* function = module_.getFunction(name);
  if (function == nullptr) {
    const llvm::IRBuilder<>::InsertPointGuard guard(builder_);
    llvm::LLVMContext& context = module_.getContext();
    llvm::Type* const type = builder_.getPtrTy();
    function = llvm::Function::Create(llvm::FunctionType::get(type, {type}, false),
                                      llvm::GlobalValue::InternalLinkage, name, module_);
    function->addFnAttr(is_late);
    function->addRetAttr(llvm::Attribute::NoAlias);
    function->addRetAttr(
        llvm::Attribute::getWithDereferenceableBytes(context, counts * sizeof(std::uint64_t)));
    function->addRetAttr(llvm::Attribute::getWithAlignment(context, llvm::Align(alignof(std::uint64_t))));
    builder_.SetInsertPoint(Block::Create(context, "", function));
    builder_.CreateRet(function->getArg(0));
  }
  return pure_call(function, {pointer});
}

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
