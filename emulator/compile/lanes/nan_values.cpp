#include "emulator/compile/lanes/nan_values.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

namespace wedjat::compile {

using llvm::Instruction;
using llvm::Value;
using namespace llvm::PatternMatch;

bool passes_nans(const Value* value) {
  const auto* instruction = llvm::dyn_cast<Instruction>(value);
  if (instruction == nullptr) return false;
  const llvm::Type* const type = instruction->getType()->getScalarType();
  if (!type->isFloatTy() && !type->isDoubleTy()) return false;
  switch (instruction->getOpcode()) {
    case Instruction::FAdd:
    case Instruction::FSub:
    case Instruction::FMul:
    case Instruction::FDiv:
      return true;
    default:
      break;
  }
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(instruction);
  return call != nullptr &&
         (call->getIntrinsicID() == llvm::Intrinsic::fma || call->getIntrinsicID() == llvm::Intrinsic::sqrt);
}

namespace {

bool is_infinity(const llvm::APInt& bits) {
  return bits == llvm::APInt(32, 0x7f800000) || bits == llvm::APInt(64, 0x7ff0000000000000);
}

}  // namespace

bool is_bits_of_nan(const llvm::APInt& bits) {
  const unsigned width = bits.getBitWidth();
  if (width != 32 && width != 64) return false;
  return llvm::APFloat(width == 32 ? llvm::APFloat::IEEEsingle() : llvm::APFloat::IEEEdouble(), bits).isNaN();
}

Value* asked_for_nan(Value* question) {
  Value* bits = nullptr;
  Value* number = nullptr;
  const llvm::APInt* most = nullptr;
  const llvm::APInt* mask = nullptr;
  llvm::ICmpInst::Predicate predicate;
  if (!match(question, m_ICmp(predicate, m_Value(bits), m_APInt(most))) || !is_infinity(*most) ||
      (predicate != llvm::ICmpInst::ICMP_UGT && predicate != llvm::ICmpInst::ICMP_SGT))
    return nullptr;
  if (match(bits, m_BitCast(m_FAbs(m_Value(number))))) return number;
  if (match(bits, m_And(m_BitCast(m_Value(number)), m_APInt(mask))) && mask->isMaxSignedValue())
    return number;
  return nullptr;
}

}  // namespace wedjat::compile
