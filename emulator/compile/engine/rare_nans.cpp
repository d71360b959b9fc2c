#include "emulator/compile/engine/rare_nans.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "emulator/compile/engine/nan_values.h"

namespace wedjat::compile {

namespace {

using llvm::Instruction;
using llvm::Value;
using namespace llvm::PatternMatch;

// Instructions of one choice.
constexpr std::size_t most_chosen = 64;

bool is_wide_double(const llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector != nullptr && vector->getElementType()->isDoubleTy() && vector->getNumElements() % 2 == 0;
}

// What a choice comes to where neither a result nor its operands are NaN.
class WithoutNans {
 public:
  explicit WithoutNans(Instruction& result) : result_(&result) {
    numbers_.insert(&result);
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&result);
    for (const llvm::Use& operand : call != nullptr ? call->args() : result.operands()) {
      numbers_.insert(operand.get());
      Value* bits = nullptr;
      if (match(operand.get(), m_BitCast(m_Value(bits)))) bits_.insert(bits);
    }
  }

  bool is_operand(const Value* value) const { return numbers_.contains(value) || bits_.contains(value); }
  bool is_result(Value* value) { return match(value, m_BitCast(m_Specific(result_))); }
  // Whether a choice is the result.
  bool comes_to_result(Value* value) {
    for (std::size_t depth = 0; depth < most_chosen; ++depth) {
      if (is_result(value)) return true;
      Value *condition, *yes, *no;
      if (!match(value, m_Select(m_Value(condition), m_Value(yes), m_Value(no)))) return false;
      const std::optional<bool> known = truth(condition, 0);
      if (!known) return false;
      value = *known ? yes : no;
    }
    return false;
  }

 private:
  bool is_number(Value* value) const {
    if (is_operand(value)) return true;
    Value* inner = nullptr;
    return match(value, m_BitCast(m_Value(inner))) && is_operand(inner);
  }

  // Whether it is NaN, or that it is not.
  std::optional<bool> answer(Value* question) const {
    llvm::ICmpInst::Predicate predicate;
    const llvm::APInt *limit = nullptr, *mask = nullptr;
    Value *bits = nullptr, *number = nullptr;
    if (!match(question, m_ICmp(predicate, m_Value(bits), m_APInt(limit)))) return std::nullopt;
    const bool magnitude = match(bits, m_BitCast(m_FAbs(m_Value(number)))) ||
                           (match(bits, m_And(m_Value(number), m_APInt(mask))) && mask->isMaxSignedValue());
    if (!magnitude || !is_number(number)) return std::nullopt;
    const llvm::APInt infinity(64, 0x7ff0000000000000);
    if (limit->getBitWidth() != 64) return std::nullopt;
    using P = llvm::ICmpInst::Predicate;
    if (*limit == infinity && (predicate == P::ICMP_UGT || predicate == P::ICMP_SGT)) return false;
    if (*limit == infinity + 1 && (predicate == P::ICMP_ULT || predicate == P::ICMP_SLT)) return true;
    return std::nullopt;
  }

  std::optional<bool> truth(Value* value, std::size_t depth) {
    if (depth > most_chosen) return std::nullopt;
    if (const auto known = known_.find(value); known != known_.end()) return known->second;
    return known_[value] = found_truth(value, depth + 1);
  }

  std::optional<bool> found_truth(Value* value, std::size_t depth) {
    if (match(value, m_One())) return true;
    if (match(value, m_Zero())) return false;
    if (const std::optional<bool> known = answer(value)) return known;
    Value *a = nullptr, *b = nullptr, *c = nullptr;
    if (match(value, m_Not(m_Value(a)))) {
      const std::optional<bool> known = truth(a, depth);
      return known ? std::optional(!*known) : std::nullopt;
    }
    if (match(value, m_Select(m_Value(a), m_Value(b), m_Value(c)))) {
      const std::optional<bool> known = truth(a, depth);
      return known ? truth(*known ? b : c, depth) : std::nullopt;
    }
    const bool all = match(value, m_And(m_Value(a), m_Value(b)));
    if (!all && !match(value, m_Or(m_Value(a), m_Value(b)))) return std::nullopt;
    const std::optional<bool> first = truth(a, depth), second = truth(b, depth);
    // One that decides it is enough.
    if (first == !all || second == !all) return !all;
    return first && second ? std::optional(all) : std::nullopt;
  }

  Instruction* result_;
  std::set<const Value*> numbers_, bits_;
  std::map<Value*, std::optional<bool>> known_;
};

struct Choice {
  Instruction* value;
  Instruction* result;
  std::vector<Instruction*> steps;  // that only choose, operands first
};

class Finding {
 public:
  explicit Finding(llvm::Function& function) {
    // The last one of several that choose the same.
    std::vector<Instruction*> all;
    for (Instruction& instruction : llvm::instructions(function)) all.push_back(&instruction);
    for (auto each = all.rbegin(); each != all.rend(); ++each)
      if (llvm::isa<llvm::SelectInst>(*each) && !inner_.contains(*each)) look_at(**each);
  }
  std::vector<Choice> choices;  // the last first

 private:
  void look_at(Instruction& value) {
    Instruction* const result = result_of(&value, 0);
    if (result == nullptr) return;
    WithoutNans known(*result);
    if (!known.comes_to_result(&value)) return;
    Choice choice{&value, result, {}};
    std::set<const Value*> seen;
    if (!collect(&value, known, seen, choice.steps)) return;
    inner_.insert(choice.steps.begin(), choice.steps.end());
    choices.push_back(std::move(choice));
  }

  // What may be chosen.
  static Instruction* result_of(Value* value, std::size_t depth) {
    Value *yes, *no, *number;
    if (match(value, m_BitCast(m_Value(number))))
      return passes_nans(number) && is_wide_double(number->getType()) ? llvm::cast<Instruction>(number)
                                                                      : nullptr;
    if (depth > 8 || !match(value, m_Select(m_Value(), m_Value(yes), m_Value(no)))) return nullptr;
    Instruction* const found = result_of(no, depth + 1);
    return found != nullptr ? found : result_of(yes, depth + 1);
  }

  static bool collect(Value* value, WithoutNans& known, std::set<const Value*>& seen,
                      std::vector<Instruction*>& steps) {
    auto* const instruction = llvm::dyn_cast<Instruction>(value);
    if (instruction == nullptr || known.is_operand(value) || known.is_result(value) ||
        !seen.insert(value).second)
      return true;
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(instruction);
    const bool chooses = llvm::isa<llvm::SelectInst>(instruction) || llvm::isa<llvm::CmpInst>(instruction) ||
                         llvm::isa<llvm::BitCastInst>(instruction) || instruction->isBitwiseLogicOp() ||
                         (call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::fabs);
    if (!chooses) return true;
    if (steps.size() == most_chosen) return false;
    for (const llvm::Use& operand : instruction->operands())
      if (!collect(operand.get(), known, seen, steps)) return false;
    steps.push_back(instruction);
    return true;
  }

  std::set<const Value*> inner_;
};

// Whether any lane's is NaN: two lanes are asked with one comparison.
Value* any_nan(llvm::IRBuilder<>& builder, Instruction* result) {
  const unsigned half = llvm::cast<llvm::FixedVectorType>(result->getType())->getNumElements() / 2;
  llvm::SmallVector<int, 32> low, high;
  for (unsigned lane = 0; lane < half; ++lane) {
    low.push_back(static_cast<int>(lane));
    high.push_back(static_cast<int>(lane + half));
  }
  Value* const either = builder.CreateFCmpUNO(builder.CreateShuffleVector(result, low),
                                              builder.CreateShuffleVector(result, high));
  // Lanes that nobody reads may hold anything.
  Value* const bits = builder.CreateFreeze(builder.CreateBitCast(either, builder.getIntNTy(half)));
  return builder.CreateICmpNE(bits, llvm::ConstantInt::get(bits->getType(), 0));
}

void choose_aside(const Choice& choice) {
  llvm::IRBuilder<> builder(choice.value);
  Instruction* const aside =
      llvm::SplitBlockAndInsertIfThen(any_nan(builder, choice.result), choice.value, false,
                                      llvm::MDBuilder(builder.getContext()).createBranchWeights(1, 1000));
  llvm::BasicBlock* const before = aside->getParent()->getSinglePredecessor();
  std::map<Value*, Value*> copies;
  for (Instruction* step : choice.steps) {
    Instruction* const copy = step->clone();
    for (llvm::Use& operand : copy->operands())
      if (const auto known = copies.find(operand.get()); known != copies.end()) operand.set(known->second);
    copy->insertBefore(aside);
    copies[step] = copy;
  }
  builder.SetInsertPoint(before->getTerminator());
  Value* const plain = builder.CreateBitCast(choice.result, choice.value->getType());
  builder.SetInsertPoint(choice.value);
  llvm::PHINode* const both = builder.CreatePHI(choice.value->getType(), 2);
  both->addIncoming(plain, before);
  both->addIncoming(copies.at(choice.value), aside->getParent());
  choice.value->replaceAllUsesWith(both);
  choice.value->eraseFromParent();
}

}  // namespace

void choose_nans_aside(llvm::Function& function) {
  const Finding found(function);
  for (auto choice = found.choices.rbegin(); choice != found.choices.rend(); ++choice) choose_aside(*choice);
}

}  // namespace wedjat::compile
