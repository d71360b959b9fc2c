#include "emulator/compile/engine/raw_nans.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include <map>
#include <set>
#include <vector>

#include "emulator/compile/lanes/nan_values.h"

namespace wedjat::compile {

namespace {

using llvm::Instruction;
using llvm::Value;
using namespace llvm::PatternMatch;

// Of a number whose NaNs were made one, or of its bits: the number before that; else null.
Value* before(Value* value) {
  Value* question = nullptr;
  Value* number = nullptr;
  const llvm::APInt* bits = nullptr;
  const llvm::APFloat* nan = nullptr;
  const bool chosen =
      (match(value, m_Select(m_Value(question), m_APInt(bits), m_BitCast(m_Value(number)))) &&
       is_bits_of_nan(*bits)) ||
      (match(value, m_Select(m_Value(question), m_APFloat(nan), m_Value(number))) && nan->isNaN());
  return chosen && asked_for_nan(question) == number && passes_nans(number) ? number : nullptr;
}

// Whether nobody can tell which NaN the result is.
bool is_made_one(const Value* result) {
  for (const llvm::User* user : result->users()) {
    if (before(const_cast<llvm::User*>(user)) == result) continue;
    if (match(user, m_FAbs(m_Specific(result)))) {
      for (const llvm::User* of_abs : user->users())
        for (const llvm::User* question : of_abs->users())
          if (asked_for_nan(const_cast<llvm::User*>(question)) != result) return false;
      continue;
    }
    if (!match(user, m_BitCast(m_Specific(result)))) return false;
    for (const llvm::User* of_bits : user->users()) {
      if (before(const_cast<llvm::User*>(of_bits)) == result) continue;
      for (const llvm::User* question : of_bits->users())
        if (asked_for_nan(const_cast<llvm::User*>(question)) != result) return false;
      if (!match(of_bits, m_And(m_Value(), m_Constant()))) return false;
    }
  }
  return true;
}

class Rewriting {
 public:
  explicit Rewriting(llvm::Function& function) {
    for (Instruction& instruction : llvm::instructions(function))
      if (passes_nans(&instruction) && is_made_one(&instruction)) takers_.push_back(&instruction);
  }

  void run() {
    for (Instruction* taker : takers_)
      for (llvm::Use& use : taker->operands()) {
        if (!passes_type(use.get())) continue;
        Value* from = use.get();
        match(use.get(), m_BitCast(m_Value(from)));
        if (Value* const raw = raw_of(from, use->getType())) use.set(raw);
      }
  }

 private:
  static bool passes_type(const Value* value) {
    const llvm::Type* const type = value->getType()->getScalarType();
    return type->isFloatTy() || type->isDoubleTy();
  }

  // Null: it is as it always was.
  Value* raw_of(Value* from, llvm::Type* type) {
    if (Value* const number = before(from)) return number->getType() == type ? number : nullptr;
    auto* const phi = llvm::dyn_cast<llvm::PHINode>(from);
    if (phi == nullptr) return nullptr;
    if (const auto known = phis_.find(phi); known != phis_.end()) return known->second;
    std::set<llvm::PHINode*> all;
    if (!leads_to_one(phi, type, all)) return nullptr;
    std::erase_if(all, [&](llvm::PHINode* each) { return phis_.contains(each); });
    for (llvm::PHINode* each : all)
      phis_[each] = llvm::PHINode::Create(type, each->getNumIncomingValues(), "", each->getIterator());
    for (llvm::PHINode* each : all)
      for (unsigned i = 0; i < each->getNumIncomingValues(); ++i)
        phis_[each]->addIncoming(incoming(each->getIncomingValue(i), each->getIncomingBlock(i), type),
                                 each->getIncomingBlock(i));
    return phis_.at(phi);
  }

  // All that a value may come from on the way through choices of blocks; whether the NaNs of any of them were
  // made one.
  static bool leads_to_one(llvm::PHINode* phi, llvm::Type* type, std::set<llvm::PHINode*>& all) {
    bool any = false;
    std::vector<llvm::PHINode*> open{phi};
    while (!open.empty()) {
      llvm::PHINode* const each = open.back();
      open.pop_back();
      if (!all.insert(each).second) continue;
      for (Value* value : each->incoming_values()) {
        if (auto* const next = llvm::dyn_cast<llvm::PHINode>(value)) open.push_back(next);
        const Value* const number = before(value);
        any |= number != nullptr && number->getType() == type;
      }
    }
    return any;
  }

  Value* incoming(Value* bits, llvm::BasicBlock* from, llvm::Type* type) {
    if (auto* const phi = llvm::dyn_cast<llvm::PHINode>(bits)) return phis_.at(phi);
    if (Value* const number = before(bits); number != nullptr && number->getType() == type) return number;
    if (bits->getType() == type) return bits;
    if (auto* const constant = llvm::dyn_cast<llvm::Constant>(bits))
      return llvm::ConstantExpr::getBitCast(constant, type);
    // Several ways may lead from one block to another.
    Value*& cast = casts_[{bits, from}];
    if (cast == nullptr)
      cast =
          llvm::CastInst::Create(Instruction::BitCast, bits, type, "", from->getTerminator()->getIterator());
    return cast;
  }

  std::vector<Instruction*> takers_;
  std::map<llvm::PHINode*, llvm::PHINode*> phis_;
  std::map<std::pair<Value*, llvm::BasicBlock*>, Value*> casts_;
};

}  // namespace

void keep_nans_raw(llvm::Function& function) { Rewriting(function).run(); }

}  // namespace wedjat::compile
