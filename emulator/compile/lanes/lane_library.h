// What each form computes for one lane, as LLVM instructions: the bitcode of the generated lane functions.
#pragma once
#include <llvm/IR/Function.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "emulator/compile/lanes/chosen_nans.h"
#include "emulator/compile/lanes/lane_names.h"

namespace wedjat::compile {

class LaneLibrary {
 public:
  /// What the processor does in instructions of its own, or executors have to do.
  struct Able {
    bool directed;  ///< arithmetic that is not rounded to nearest
    bool halves;    ///< f16 to f32 and back
  };

  /// `names` as the program that lowered the kernels has them.
  LaneLibrary(llvm::LLVMContext& context, std::span<const LaneName> names, Able able);

  /// One straight run of instructions on rows of one lane: argument 0 is the warp, argument 1 + i the element
  /// of Step::row[i]. Null if the form does more than compute.
  const llvm::Function* find(const kernel::Form& form);
  /// Of a lane function that was found here; null: it does not choose among NaNs.
  const ChosenNans* chosen_nans(const llvm::Function& lane);

 private:
  llvm::Module& chapter(const std::string& name);

  llvm::LLVMContext& context_;
  const Able able_;
  std::unordered_map<kernel::Executor, const LaneName*> names_;
  std::unordered_map<kernel::Executor, const llvm::Function*> found_;
  std::unordered_map<const llvm::Function*, std::optional<ChosenNans>> nans_;
  std::map<std::string, std::unique_ptr<llvm::Module>> chapters_;
};

}  // namespace wedjat::compile
