// Where what code works with lies: fields of what it is called with, slots of its own, words of its table.
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/MDBuilder.h>

#include "emulator/compile/emit/region_emitter.h"

namespace wedjat::compile {

// So many bytes behind it.
llvm::Value* RegionEmitter::at(llvm::Value* base, std::size_t offset) {
  return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), base, offset);
}

llvm::Value* RegionEmitter::load_at(llvm::Type* type, llvm::Value* base, std::size_t offset) {
  return builder_.CreateLoad(type, at(base, offset));
}

// Of the exec::Passage that code is called with.
llvm::Value* RegionEmitter::field(std::size_t offset) { return at(passage_, offset); }

llvm::Value* RegionEmitter::load_field(llvm::Type* type, std::size_t offset) {
  return load_at(type, passage_, offset);
}

// Of the exec::Member that is on its way now.
llvm::Value* RegionEmitter::member_field(std::size_t offset) { return at(member_.now, offset); }

// It lives as long as the function runs.
llvm::AllocaInst* RegionEmitter::slot_at_start(llvm::Type* type) {
  llvm::BasicBlock& start = function_->getEntryBlock();
  return llvm::IRBuilder<>(&start, start.begin()).CreateAlloca(type);
}

void RegionEmitter::add_to(llvm::AllocaInst* slot, llvm::Value* more) {
  builder_.CreateStore(builder_.CreateAdd(number_in(slot), more), slot);
}

// What the code's table holds of it.
llvm::Value* RegionEmitter::linked(Link::Kind kind, std::uint32_t number) {
  return module_.getOrInsertGlobal(symbol_of(kind, number), builder_.getInt8Ty());
}

llvm::Value* RegionEmitter::number_linked(Link::Kind kind, std::uint32_t number) {
  return builder_.CreatePtrToInt(linked(kind, number), builder_.getInt64Ty());
}

// A call that few come to: it costs those who pass by nothing. Gives rax.
llvm::Value* RegionEmitter::call_seldom(llvm::Value* function, llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::Type* const number = builder_.getInt64Ty();
  std::string constraints = "={rax},{r11},0";
  llvm::SmallVector<llvm::Value*, 8> inputs{linked(target_.keeping_call),
                                            builder_.CreatePtrToInt(function, number)};
  llvm::SmallVector<llvm::Type*, 8> types{builder_.getPtrTy(), number};
  constexpr const char* registers[] = {"rdi", "rsi", "rdx", "rcx", "r8"};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    llvm::Value* const argument = arguments[i]->getType()->isPointerTy()
                                      ? builder_.CreatePtrToInt(arguments[i], number)
                                      : builder_.CreateZExt(arguments[i], number);
    constraints += std::string(",{") + registers[i] + "}";
    inputs.push_back(argument);
    types.push_back(number);
  }
  constraints += ",~{memory},~{dirflag},~{fpsr},~{flags}";
  auto* const code = llvm::InlineAsm::get(llvm::FunctionType::get(number, types, false), "callq *%r11",
                                          constraints, true, true, llvm::InlineAsm::AD_ATT, true);
  return builder_.CreateCall(code, inputs);
}

llvm::BasicBlock* RegionEmitter::block(const char* name) {
  return Block::Create(module_.getContext(), name, function_);
}

void RegionEmitter::branch_mostly(llvm::Value* condition, Block* mostly, Block* seldom) {
  builder_.CreateCondBr(condition, mostly, seldom,
                        llvm::MDBuilder(module_.getContext()).createBranchWeights(1000, 1));
}

}  // namespace wedjat::compile
