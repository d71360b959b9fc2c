#include "emulator/programs/pools.h"

namespace wedjat::programs {
namespace {

const Pool* floats_of(const kernel::OperandSpec& operand) {
  const bool fragment = operand.kind == kernel::OperandKind::Fragment;
  if (operand.format == "f16") return operand.parts == 2 ? &halves : &half;
  if (operand.format == "bf16") return operand.parts == 2 ? &brains : &brain;
  if (operand.format == "f32") return &single;
  if (operand.format == "f64") return &twice;
  // Of a matrix only: any bits are numbers, and no result is of these types.
  if (fragment && operand.format == "tf32") return &single;
  if (fragment && operand.bits == 32 && operand.parts == 4) return &bits32;
  return nullptr;
}

}  // namespace

const Pool* pool_of(const kernel::OperandSpec& operand) {
  if (operand.kind == kernel::OperandKind::Predicate) return &truths;
  if (operand.value == kernel::ValueKind::Float) return floats_of(operand);
  if (operand.bits == 16 || (operand.bits == 8 && operand.extends)) return &bits16;
  return operand.bits == 32 ? &bits32 : operand.bits == 64 ? &bits64 : nullptr;
}

}  // namespace wedjat::programs
