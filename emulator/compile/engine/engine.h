// From LLVM code to machine code.
#pragma once
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <string>

#include "emulator/compile/image/image.h"

namespace wedjat::compile {

class Engine {
 public:
  /// For the processor that runs this; `features` are added ("-avx512f,-avx2"), empty: none. Throws
  /// std::runtime_error, also for a feature that this kind of processor cannot have.
  explicit Engine(const std::string& features);

  llvm::LLVMContext& context() { return context_; }
  /// Whether code may use a feature of the processor.
  bool has(const char* feature) const;
  std::unique_ptr<llvm::Module> module(const std::string& name);
  /// The code of the module's function `name`. Throws std::runtime_error.
  Image compile(std::unique_ptr<llvm::Module> module, const std::string& name);

 private:
  void optimise(llvm::Module& module);

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::TargetMachine> machine_;
};

}  // namespace wedjat::compile
