// Functions that tools hand over as LLVM bitcode.
#pragma once
#include <llvm/IR/Function.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <map>
#include <memory>
#include <string>

#include "emulator/exec/warp/probe.h"

namespace wedjat::compile {

class ToolFunctions {
 public:
  explicit ToolFunctions(llvm::LLVMContext& context) : context_(context) {}

  /// The function in a module of code, to be inlined there. Null if there is no bitcode of it, or it needs
  /// what the bitcode does not define: then it is called. Throws std::runtime_error if the bitcode is none.
  llvm::Function* find(const exec::InlinedFunction& wanted, llvm::Module& in);

 private:
  struct Known {
    std::shared_ptr<const std::string> bitcode;  // stays, so that its address names it
    std::unique_ptr<llvm::Module> module;
    bool whole = true;      // it defines all that it needs
    std::string beginning;  // of the names of its functions, no others have it
  };
  const Known& read(const std::shared_ptr<const std::string>& bitcode);

  llvm::LLVMContext& context_;
  std::map<const std::string*, Known> known_;
};

}  // namespace wedjat::compile
