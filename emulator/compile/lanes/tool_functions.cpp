#include "emulator/compile/lanes/tool_functions.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <stdexcept>

namespace wedjat::compile {

namespace {

// What a compiler wrote for the processor that it thought of; code is made for the one that runs it.
void forget_processor(llvm::Function& function) {
  for (const char* attribute :
       {"target-cpu", "target-features", "tune-cpu", "frame-pointer", "stack-protector-buffer-size"})
    function.removeFnAttr(attribute);
  for (const auto attribute : {llvm::Attribute::StackProtect, llvm::Attribute::StackProtectStrong,
                               llvm::Attribute::StackProtectReq, llvm::Attribute::OptimizeNone})
    function.removeFnAttr(attribute);
}

// A compiler calls what only its file sees as it likes; native code calls it too
// (RegionEmitter::keep_registers).
void use_c_calls(llvm::Function& function) {
  function.setCallingConv(llvm::CallingConv::C);
  for (llvm::User* const user : function.users())
    if (auto* const call = llvm::dyn_cast<llvm::CallBase>(user))
      if (call->getCalledFunction() == &function) call->setCallingConv(llvm::CallingConv::C);
}

}  // namespace

const ToolFunctions::Known& ToolFunctions::read(const std::shared_ptr<const std::string>& bitcode) {
  if (const auto found = known_.find(bitcode.get()); found != known_.end()) return found->second;
  Known known;
  known.bitcode = bitcode;
  known.beginning = fmt::format("tool{}.", known_.size());
  auto read = llvm::parseBitcodeFile(llvm::MemoryBufferRef(*bitcode, "bitcode of a tool"), context_);
  if (!read) throw std::runtime_error("bitcode of a tool: " + llvm::toString(read.takeError()));
  known.module = std::move(*read);
  llvm::StripDebugInfo(*known.module);
  for (llvm::Function& function : *known.module) {
    if (function.isIntrinsic()) continue;
    if (function.isDeclaration()) {
      known.whole = known.whole && function.use_empty();
      continue;
    }
    forget_processor(function);
    use_c_calls(function);
    function.setName(known.beginning + function.getName());
    function.setLinkage(llvm::GlobalValue::ExternalLinkage);
    function.setComdat(nullptr);
  }
  for (llvm::GlobalVariable& variable : known.module->globals()) {
    known.whole = known.whole && variable.hasInitializer() && variable.isConstant();
    variable.setLinkage(llvm::GlobalValue::PrivateLinkage);
    variable.setComdat(nullptr);
  }
  return known_.emplace(bitcode.get(), std::move(known)).first->second;
}

llvm::Function* ToolFunctions::find(const exec::InlinedFunction& wanted, llvm::Module& in) {
  if (wanted.bitcode == nullptr || wanted.name.empty()) return nullptr;
  const Known& known = read(wanted.bitcode);
  const std::string name = known.beginning + wanted.name;
  const llvm::Function* const offered = known.module->getFunction(name);
  if (!known.whole || offered == nullptr) return nullptr;
  llvm::Type* const pointer = llvm::PointerType::get(context_, 0);
  auto* const type = llvm::FunctionType::get(llvm::Type::getVoidTy(context_),
                                             {pointer, pointer, llvm::Type::getInt32Ty(context_)}, false);
  if (offered->getFunctionType() != type)
    throw std::runtime_error(fmt::format("bitcode of a tool: {} is no wedjat_function", wanted.name));
  if (llvm::Function* const there = in.getFunction(name)) return there;
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(*known.module);
  copy->setTargetTriple(in.getTargetTriple());
  copy->setDataLayout(in.getDataLayout());
  if (llvm::NamedMDNode* const flags = copy->getModuleFlagsMetadata()) copy->eraseNamedMetadata(flags);
  if (llvm::Linker::linkModules(in, std::move(copy)))
    throw std::runtime_error("bitcode of a tool: it cannot be linked");
  for (llvm::Function& function : in)
    if (function.getName().starts_with(known.beginning))
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  return in.getFunction(name);
}

}  // namespace wedjat::compile
