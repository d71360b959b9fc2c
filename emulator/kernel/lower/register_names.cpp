// What tools see of registers: what they are called, which ones an instruction names, where they lie.
#include <string>

#include "emulator/kernel/lower/lowering.h"

namespace wedjat::kernel {

std::uint32_t Lowering::element_of(const ptx::Operand& operand, unsigned element) const {
  const ptx::Operand* named = &operand;
  if (operand.kind == Kind::vector) {
    const auto parts = body_.parts_of(operand);
    if (element >= parts.size()) return no_register;
    named = &parts[element];
    element = 0;
  }
  const bool is_base = named->kind == Kind::address && named->base == Kind::reg;
  if (named->kind != Kind::reg && !is_base) return no_register;
  if (named->kind == Kind::reg && named->component != ptx::Operand::kNoComponent) element = named->component;
  return register_base_[named->index] + element;
}

void Lowering::name_registers() {
  std::vector<std::uint32_t>& registers = context_.kernel.origins[id_].registers;
  for (const BoundOperand& bound : bound_) {
    const unsigned elements = bound.spec->kind == OperandKind::Address ? 1 : bound.spec->count;
    for (unsigned e = 0; e < elements; ++e)
      registers.push_back(bound.operand != nullptr ? element_of(*bound.operand, e) : no_register);
  }
}

void Lowering::declare_registers() {
  std::vector<RegisterRange>& ranges = context_.kernel.functions[function_index_].registers;
  for (const ptx::RegisterDeclaration& declared : body_.registers)
    ranges.push_back({.name = std::string(declared.name),
                      .is_range = declared.is_range,
                      .width = declared.vector_width,
                      .bytes = static_cast<std::uint8_t>(ptx::size_of(declared.type)),
                      .first = register_base_[declared.first],
                      .count = declared.count});
  draft_.may_hoist = context_.registers != Registers::writable;
  if (context_.registers < Registers::kept) return;
  for (ValueId element = 0; element < writes_.size(); ++element) draft_.registers.push_back(resolve(element));
}

}  // namespace wedjat::kernel
