// From LLVM code to machine code that can be called.
#pragma once
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <string>

#include "emulator/exec/warp/compiled.h"

namespace wedjat::compile {

class Engine {
 public:
  /// For the processor that runs this; `features` are added ("-avx512f,-avx2"), empty: none. Throws
  /// std::runtime_error, also for a feature that this kind of processor cannot have.
  explicit Engine(const std::string& features);

  llvm::orc::ThreadSafeContext context() const { return context_; }
  /// Whether code may use a feature of the processor.
  bool has(const char* feature) const;
  std::unique_ptr<llvm::Module> module(const std::string& name) const;
  /// The code of the module's function `name`; it stays as long as the engine. Throws std::runtime_error.
  exec::NativeCode compile(std::unique_ptr<llvm::Module> module, const std::string& name);

 private:
  void optimise(llvm::Module& module);

  llvm::orc::ThreadSafeContext context_;
  std::unique_ptr<llvm::TargetMachine> machine_;
  std::unique_ptr<llvm::orc::LLJIT> jit_;
};

}  // namespace wedjat::compile
