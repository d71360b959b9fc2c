#include "emulator/compile/lanes/lane_library.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MemoryBuffer.h>

#include <stdexcept>

#include "emulator/compile/lanes/flatten.h"
#include "emulator/compile/lanes/lane_blobs.h"

namespace wedjat::compile {

namespace {

bool is_directed(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::ConstrainedFPIntrinsic>(instruction);
}

bool converts_halves(const llvm::Instruction& instruction) {
  return (llvm::isa<llvm::FPExtInst>(instruction) && instruction.getOperand(0)->getType()->isHalfTy()) ||
         (llvm::isa<llvm::FPTruncInst>(instruction) && instruction.getType()->isHalfTy());
}

bool any(const llvm::Function& function, bool (*is)(const llvm::Instruction&)) {
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& instruction : block)
      if (is(instruction)) return true;
  return false;
}

}  // namespace

LaneLibrary::LaneLibrary(llvm::LLVMContext& context, std::span<const LaneName> names, Able able)
    : context_(context), able_(able) {
  for (const LaneName& name : names) names_[name.executor] = &name;
}

llvm::Module& LaneLibrary::chapter(const std::string& name) {
  std::unique_ptr<llvm::Module>& module = chapters_[name];
  if (module) return *module;
  for (const LaneBlob& blob : lane_blobs()) {
    if (name != blob.chapter) continue;
    const llvm::StringRef bytes(blob.begin, static_cast<std::size_t>(blob.end - blob.begin));
    auto read =
        llvm::getOwningLazyBitcodeModule(llvm::MemoryBuffer::getMemBuffer(bytes, name, false), context_);
    if (!read) throw std::runtime_error("bitcode of " + name + ": " + llvm::toString(read.takeError()));
    module = std::move(*read);
    return *module;
  }
  throw std::runtime_error("no bitcode of " + name);
}

const llvm::Function* LaneLibrary::find(const kernel::Form& form) {
  const auto name = names_.find(form.full);
  if (name == names_.end()) return nullptr;
  const auto [known, is_new] = found_.try_emplace(form.full, nullptr);
  if (!is_new) return known->second;
  llvm::Function* const function = chapter(name->second->chapter).getFunction(name->second->symbol);
  if (function == nullptr) return nullptr;
  if (llvm::Error error = function->materialize())
    throw std::runtime_error(std::string(name->second->symbol) + ": " + llvm::toString(std::move(error)));
  if (!able_.directed && any(*function, is_directed)) return nullptr;
  if (!able_.halves && any(*function, converts_halves)) return nullptr;
  if (flatten(*function)) known->second = function;
  return known->second;
}

const ChosenNans* LaneLibrary::chosen_nans(const llvm::Function& lane) {
  const auto [known, is_new] = nans_.try_emplace(&lane);
  if (is_new) known->second = compile::chosen_nans(const_cast<llvm::Function&>(lane));
  return known->second ? &*known->second : nullptr;
}

}  // namespace wedjat::compile
