#include "emulator/compile/lanes/chosen_nans.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include <map>
#include <span>

#include "emulator/compile/lanes/nan_values.h"

namespace wedjat::compile {

namespace {

using llvm::Instruction;
using llvm::Value;
using namespace llvm::PatternMatch;

// How far a choice is followed.
constexpr std::size_t most_chosen = 64;

// A whole row, read as a double.
struct Operand {
  Value *bits, *number;
  unsigned row;
};

std::optional<Operand> operand_of(Value* number) {
  Value* bits = nullptr;
  if (!match(number, m_BitCast(m_Value(bits)))) return std::nullopt;
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(bits);
  if (load == nullptr || !load->getType()->isIntegerTy(64)) return std::nullopt;
  const auto* row = llvm::dyn_cast<llvm::Argument>(load->getPointerOperand()->stripPointerCasts());
  if (row == nullptr || row->getArgNo() == 0) return std::nullopt;
  return Operand{bits, number, row->getArgNo() - 1};
}

// What a choice comes to where the result is NaN and these operands are, or nothing is.
class Assumption {
 public:
  Assumption(Value* result, std::span<const Operand> operands, unsigned nans, bool result_is_nan)
      : result_(result), operands_(operands), nans_(nans), result_is_nan_(result_is_nan) {}

  // Null if that is not known.
  Value* comes_to(Value* value) {
    for (std::size_t depth = 0; depth < most_chosen; ++depth) {
      Value *condition, *yes, *no;
      if (!match(value, m_Select(m_Value(condition), m_Value(yes), m_Value(no)))) return value;
      const std::optional<bool> known = truth(condition, 0);
      if (!known) return nullptr;
      value = *known ? yes : no;
    }
    return nullptr;
  }

 private:
  std::optional<bool> is_nan(Value* value) const {
    Value* inner = nullptr;
    if (match(value, m_BitCast(m_Value(inner))) && inner == result_) value = inner;
    if (value == result_) return result_is_nan_;
    for (std::size_t i = 0; i < operands_.size(); ++i)
      if (value == operands_[i].bits || value == operands_[i].number) return (nans_ >> i & 1) != 0;
    return std::nullopt;
  }

  std::optional<bool> answer(Value* question) const {
    llvm::ICmpInst::Predicate predicate;
    const llvm::APInt *limit = nullptr, *mask = nullptr;
    Value *bits = nullptr, *number = nullptr;
    if (!match(question, m_ICmp(predicate, m_Value(bits), m_APInt(limit))) || limit->getBitWidth() != 64)
      return std::nullopt;
    const bool magnitude = match(bits, m_BitCast(m_FAbs(m_Value(number)))) ||
                           (match(bits, m_And(m_Value(number), m_APInt(mask))) && mask->isMaxSignedValue());
    const std::optional<bool> nan = magnitude ? is_nan(number) : std::nullopt;
    if (!nan) return std::nullopt;
    const llvm::APInt infinity(64, 0x7ff0000000000000);
    using P = llvm::ICmpInst::Predicate;
    if (*limit == infinity && (predicate == P::ICMP_UGT || predicate == P::ICMP_SGT)) return *nan;
    if (*limit == infinity + 1 && (predicate == P::ICMP_ULT || predicate == P::ICMP_SLT)) return !*nan;
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

  Value* result_;
  std::span<const Operand> operands_;
  unsigned nans_;
  bool result_is_nan_;
  std::map<Value*, std::optional<bool>> known_;
};

bool is_arithmetic(const Value* value) {
  if (!value->getType()->isDoubleTy()) return false;
  const auto* rounded = llvm::dyn_cast<llvm::ConstrainedFPIntrinsic>(value);
  if (rounded == nullptr) return passes_nans(value);
  switch (rounded->getIntrinsicID()) {
    case llvm::Intrinsic::experimental_constrained_fadd:
    case llvm::Intrinsic::experimental_constrained_fsub:
    case llvm::Intrinsic::experimental_constrained_fmul:
    case llvm::Intrinsic::experimental_constrained_fdiv:
    case llvm::Intrinsic::experimental_constrained_fma:
    case llvm::Intrinsic::experimental_constrained_sqrt:
      return true;
    default:
      return false;
  }
}

// What may be chosen.
Instruction* result_of(Value* value, std::size_t depth) {
  Value *yes, *no, *number;
  if (match(value, m_BitCast(m_Value(number))))
    return is_arithmetic(number) ? llvm::cast<Instruction>(number) : nullptr;
  if (depth > 8 || !match(value, m_Select(m_Value(), m_Value(yes), m_Value(no)))) return nullptr;
  Instruction* const found = result_of(no, depth + 1);
  return found != nullptr ? found : result_of(yes, depth + 1);
}

std::vector<Operand> operands_of(Instruction& result) {
  std::vector<Operand> operands;
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&result);
  for (const llvm::Use& each : call != nullptr ? call->args() : result.operands()) {
    if (each->getType()->isMetadataTy()) continue;
    const std::optional<Operand> operand = operand_of(each.get());
    if (!operand) return {};
    operands.push_back(*operand);
  }
  return operands;
}

// The order that a choice has among NaNs, as places among the operands; nothing if it is no such choice.
std::optional<std::vector<unsigned>> order_of(Value* chosen, Instruction* result,
                                              std::span<const Operand> operands) {
  const auto comes_to = [&](unsigned nans, bool result_is_nan) {
    return Assumption(result, operands, nans, result_is_nan).comes_to(chosen);
  };
  Value* const plain = comes_to(0, false);
  if (plain == nullptr || !match(plain, m_BitCast(m_Specific(result)))) return std::nullopt;
  Value* const made = comes_to(0, true);
  if (made == nullptr || !match(made, m_SpecificInt(llvm::APInt(64, made_nan)))) return std::nullopt;
  const unsigned all = (1u << operands.size()) - 1;
  const auto first_of = [&](unsigned nans) -> std::optional<unsigned> {
    Value* const value = comes_to(nans, true);
    for (unsigned i = 0; value != nullptr && i < operands.size(); ++i)
      if ((nans >> i & 1) != 0 &&
          match(value, m_c_Or(m_Specific(operands[i].bits), m_SpecificInt(llvm::APInt(64, quiet_nan_bit)))))
        return i;
    return std::nullopt;
  };
  std::vector<unsigned> order;
  for (unsigned left = all; left != 0; left &= ~(1u << order.back())) {
    const std::optional<unsigned> first = first_of(left);
    if (!first) return std::nullopt;
    order.push_back(*first);
  }
  // It is one order for all sets of operands.
  for (unsigned nans = 1; nans <= all; ++nans)
    for (const unsigned i : order)
      if ((nans >> i & 1) != 0) {
        if (first_of(nans) != i) return std::nullopt;
        break;
      }
  return order;
}

// The only instruction that writes.
llvm::StoreInst* only_store(llvm::Function& lane) {
  llvm::StoreInst* found = nullptr;
  for (Instruction& instruction : lane.getEntryBlock()) {
    auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (store != nullptr && found != nullptr) return nullptr;
    if (store != nullptr) found = store;
  }
  return found;
}

}  // namespace

std::optional<ChosenNans> chosen_nans(llvm::Function& lane) {
  const llvm::StoreInst* const store = only_store(lane);
  if (store == nullptr || !llvm::isa<llvm::SelectInst>(store->getValueOperand())) return std::nullopt;
  Value* const chosen = const_cast<Value*>(store->getValueOperand());
  Instruction* const result = result_of(chosen, 0);
  if (result == nullptr) return std::nullopt;
  const std::vector<Operand> operands = operands_of(*result);
  if (operands.empty()) return std::nullopt;
  const auto order = order_of(chosen, result, operands);
  if (!order) return std::nullopt;
  ChosenNans found;
  for (const unsigned i : *order) found.operands.push_back(operands[i].row);
  llvm::ValueToValueMapTy copies;
  found.plain = llvm::CloneFunction(&lane, copies);
  auto* const copy = llvm::cast<llvm::StoreInst>(copies[store]);
  auto* const bits = llvm::CastInst::Create(Instruction::BitCast, copies[result], chosen->getType(), "",
                                            copy->getIterator());
  Value* const before = copy->getValueOperand();
  copy->setOperand(0, bits);
  llvm::RecursivelyDeleteTriviallyDeadInstructions(before);
  return found;
}

}  // namespace wedjat::compile
