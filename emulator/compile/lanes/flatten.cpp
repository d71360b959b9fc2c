#include "emulator/compile/lanes/flatten.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <map>

namespace wedjat::compile {

namespace {

using llvm::BasicBlock;
using llvm::Value;

bool has_loop(llvm::Function& function) {
  llvm::SmallVector<std::pair<const BasicBlock*, const BasicBlock*>, 4> back;
  llvm::FindFunctionBackedges(function, back);
  return !back.empty();
}

// Of a load from a constant table: what finds the place in it.
llvm::GetElementPtrInst* place_in_table(const llvm::LoadInst& load) {
  auto* place = llvm::dyn_cast<llvm::GetElementPtrInst>(const_cast<llvm::Value*>(load.getPointerOperand()));
  if (place == nullptr) return nullptr;
  const auto* table = llvm::dyn_cast<llvm::GlobalVariable>(place->getPointerOperand());
  return table != nullptr && table->isConstant() ? place : nullptr;
}

// What may be done without being asked for: rows can always be read, of tables the first place.
bool is_harmless(const llvm::Instruction& instruction) {
  if (instruction.isTerminator() || llvm::isa<llvm::PHINode>(instruction)) return true;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return place_in_table(*load) != nullptr ||
           llvm::isa<llvm::Argument>(load->getPointerOperand()->stripInBoundsConstantOffsets());
  if (instruction.isIntDivRem()) return false;
  // The host's exceptions are masked.
  if (llvm::isa<llvm::ConstrainedFPIntrinsic>(instruction)) return true;
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    return call->doesNotAccessMemory() && call->getIntrinsicID() != llvm::Intrinsic::not_intrinsic;
  return !instruction.mayHaveSideEffects();
}

class Flattener {
 public:
  explicit Flattener(llvm::Function& function) : builder_(function.getContext()) {
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function);
    blocks_.assign(order.begin(), order.end());
  }

  bool possible() const {
    for (const BasicBlock* block : blocks_) {
      const llvm::Instruction* end = block->getTerminator();
      if (!llvm::isa<llvm::BranchInst>(end) && !llvm::isa<llvm::ReturnInst>(end)) return false;
      if (block == blocks_.front()) continue;
      for (const llvm::Instruction& instruction : *block) {
        const bool ends_it = block->getTerminator() == &instruction;
        if (!ends_it && !is_harmless(instruction) &&
            !(llvm::isa<llvm::StoreInst>(instruction) && llvm::isa<llvm::ReturnInst>(end) &&
              always_runs(block)))
          return false;
      }
    }
    return true;
  }

  void run() {
    BasicBlock* const entry = blocks_.front();
    llvm::SmallVector<llvm::Instruction*, 8> ends;
    for (BasicBlock* block : blocks_) {
      llvm::Instruction* const end = block->getTerminator();
      if (block != entry) take(block, entry);
      note_edges(block, end, entry);
      ends.push_back(end);
    }
    finish(entry, ends);
  }

 private:
  // The only block that returns is passed by every lane.
  bool always_runs(const BasicBlock* block) const {
    for (const BasicBlock* other : blocks_)
      if (other != block && llvm::isa<llvm::ReturnInst>(other->getTerminator())) return false;
    return true;
  }

  // Moves a block's instructions behind those of the entry; its phis become selects.
  void take(BasicBlock* block, BasicBlock* entry) {
    Value* runs = nullptr;
    builder_.SetInsertPoint(entry->getTerminator());
    for (BasicBlock* from : llvm::predecessors(block)) {
      Value* const edge = edges_.at({from, block});
      runs = runs == nullptr ? edge : builder_.CreateOr(runs, edge);
    }
    runs_[block] = runs;
    while (auto* phi = llvm::dyn_cast<llvm::PHINode>(&block->front())) {
      Value* value = phi->getIncomingValue(0);
      for (unsigned i = 1; i < phi->getNumIncomingValues(); ++i)
        value = builder_.CreateSelect(edges_.at({phi->getIncomingBlock(i), block}), phi->getIncomingValue(i),
                                      value);
      phi->replaceAllUsesWith(value);
      phi->eraseFromParent();
    }
    while (&block->front() != block->getTerminator()) {
      llvm::Instruction& next = block->front();
      next.moveBefore(entry->getTerminator());
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&next)) read_safely(*load, runs);
    }
  }

  // Where the block does not run, the index may be anything.
  void read_safely(llvm::LoadInst& load, Value* runs) {
    llvm::GetElementPtrInst* const place = place_in_table(load);
    if (place == nullptr) return;
    builder_.SetInsertPoint(&load);
    llvm::SmallVector<Value*, 3> indices(place->idx_begin(), place->idx_end());
    indices.back() =
        builder_.CreateSelect(runs, indices.back(), llvm::Constant::getNullValue(indices.back()->getType()));
    load.setOperand(0,
                    builder_.CreateGEP(place->getSourceElementType(), place->getPointerOperand(), indices));
  }

  void note_edges(BasicBlock* block, llvm::Instruction* end, BasicBlock* entry) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(end);
    if (branch == nullptr) return;
    builder_.SetInsertPoint(entry->getTerminator());
    Value* const runs = block == entry ? builder_.getTrue() : runs_.at(block);
    const auto add = [&](BasicBlock* to, Value* when) {
      Value*& edge = edges_[{block, to}];
      edge = edge == nullptr ? when : builder_.CreateOr(edge, when);
    };
    if (!branch->isConditional()) return add(branch->getSuccessor(0), runs);
    Value* const condition = branch->getCondition();
    // A choice, not a conjunction: where the block does not run, its condition may be poison.
    add(branch->getSuccessor(0), builder_.CreateSelect(runs, condition, builder_.getFalse()));
    add(branch->getSuccessor(1),
        builder_.CreateSelect(runs, builder_.CreateNot(condition), builder_.getFalse()));
  }

  void finish(BasicBlock* entry, llvm::ArrayRef<llvm::Instruction*> ends) {
    for (llvm::Instruction* end : ends) end->eraseFromParent();
    builder_.SetInsertPoint(entry);
    builder_.CreateRetVoid();
    for (BasicBlock* block : blocks_)
      if (block != entry) block->dropAllReferences();
    for (BasicBlock* block : blocks_)
      if (block != entry) block->eraseFromParent();
  }

  llvm::IRBuilder<> builder_;
  std::vector<BasicBlock*> blocks_;
  std::map<std::pair<BasicBlock*, BasicBlock*>, Value*> edges_;
  std::map<BasicBlock*, Value*> runs_;
};

}  // namespace

bool flatten(llvm::Function& function) {
  if (function.size() == 1) return true;
  if (has_loop(function)) return false;
  Flattener flattener(function);
  if (!flattener.possible()) return false;
  flattener.run();
  return true;
}

}  // namespace wedjat::compile
