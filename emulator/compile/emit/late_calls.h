// Functions that nobody looks into until all else is done: what they are is better not known until then, or
// looking takes longer than all the rest.
#pragma once
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace wedjat::compile {

/// The attribute that says so of a function.
inline constexpr const char* is_late = "wedjat-late";

/// Puts them where they are called.
inline void inline_late_calls(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (!function.hasFnAttribute(is_late)) continue;
    for (llvm::User* const user : llvm::make_early_inc_range(function.users())) {
      llvm::InlineFunctionInfo info;
      llvm::InlineFunction(*llvm::cast<llvm::CallBase>(user), info);
    }
    function.eraseFromParent();
  }
}

}  // namespace wedjat::compile
