#include "emulator/compile/engine/engine.h"

#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>

#include <stdexcept>

#include "emulator/compile/emit/late_calls.h"
#include "emulator/compile/engine/good.h"
#include "emulator/compile/engine/object_image.h"
#include "emulator/compile/engine/raw_nans.h"

namespace wedjat::compile {

namespace {

// LLVM itself ignores what it does not know, with a line on standard error.
void check_features(const llvm::TargetMachine& machine, const std::vector<std::string>& words) {
  const auto known = machine.getMCSubtargetInfo()->getAllProcessorFeatures();
  for (const std::string& word : words) {
    if (word.front() != '-' && word.front() != '+')
      throw std::runtime_error("processor feature '" + word + "' has neither - nor + before it");
    const bool found = llvm::any_of(
        known, [&](const auto& feature) { return word.compare(1, word.npos, feature.Key) == 0; });
    if (!found) throw std::runtime_error("there is no processor feature '" + word.substr(1) + "'");
  }
}

// Regions are made of numbers in slots and choices that are known: what cleans that up, and takes what stays
// the same out of loops.
constexpr const char* passes =
    "function(sroa,instcombine<no-verify-fixpoint>,simplifycfg,early-cse<memssa>,loop-mssa(licm),gvn,"
    "instcombine<no-verify-fixpoint>,simplifycfg,adce)";
constexpr const char* last_passes = "function(adce)";

}  // namespace

Engine::Engine(const std::string& features) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::InitializeNativeTargetAsmParser();  // of calls that keep registers
  auto builder = good(llvm::orc::JITTargetMachineBuilder::detectHost());
  // More takes a fifth more time and gains nothing: code is straight, and its vectors are made already.
  builder.setCodeGenOptLevel(llvm::CodeGenOptLevel::Less);
  llvm::SmallVector<llvm::StringRef, 8> parts;
  llvm::StringRef(features).split(parts, ',', -1, false);
  const std::vector<std::string> words(parts.begin(), parts.end());
  check_features(*good(builder.createTargetMachine()), words);
  builder.addFeatures(words);
  // Bits are what the semantics say: nothing is contracted.
  builder.getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
  // It may lie anywhere, and so may what it refers to.
  builder.setRelocationModel(llvm::Reloc::PIC_);
  builder.setCodeModel(llvm::CodeModel::Small);
  machine_ = good(builder.createTargetMachine());
}

bool Engine::has(const char* feature) const {
  return machine_->getMCSubtargetInfo()->checkFeatures(std::string("+") + feature);
}

std::unique_ptr<llvm::Module> Engine::module(const std::string& name) {
  auto module = std::make_unique<llvm::Module>(name, context_);
  module->setDataLayout(machine_->createDataLayout());
  module->setTargetTriple(machine_->getTargetTriple().str());
  module->setPICLevel(llvm::PICLevel::SmallPIC);
  return module;
}

void Engine::optimise(llvm::Module& module) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager cgscc;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(machine_.get());
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(cgscc);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, cgscc, modules);
  const auto run = [&](const char* pipeline) {
    llvm::ModulePassManager manager;
    good(builder.parsePassPipeline(manager, pipeline));
    manager.run(module, modules);
  };
  run(passes);
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    keep_nans_raw(function);
    functions.clear(function, function.getName());
  }
  inline_late_calls(module);
  run(last_passes);
}

Image Engine::compile(std::unique_ptr<llvm::Module> module, const std::string& name) {
  for (llvm::Function& function : *module) {
    if (function.isDeclaration()) continue;
    function.addFnAttr("target-cpu", machine_->getTargetCPU());
    function.addFnAttr("target-features", machine_->getTargetFeatureString());
    function.addFnAttr("prefer-vector-width", "512");
    function.addFnAttr("min-legal-vector-width", "512");
  }
  std::string wrong;
  llvm::raw_string_ostream stream(wrong);
  if (llvm::verifyModule(*module, &stream)) throw std::runtime_error("no valid code: " + wrong);
  optimise(*module);
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream to(object);
  llvm::legacy::PassManager manager;
  llvm::MCContext* context = nullptr;
  if (machine_->addPassesToEmitMC(manager, context, to))
    throw std::runtime_error("this LLVM makes no machine code");
  manager.run(*module);
  return image_of({llvm::StringRef(object.data(), object.size()), name}, name);
}

}  // namespace wedjat::compile
