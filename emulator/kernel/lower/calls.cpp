// call: direct, through a pointer, and of functions the CUDA device runtime provides.
#include <fmt/format.h>

#include <algorithm>

#include "emulator/kernel/lower/lowering.h"

namespace wedjat::kernel {

bool Lowering::is_system_call(const ptx::Operand& target) const {
  const ptx::SymbolId callee = context_.program.function(module_index_, target.index);
  return !context_.program.module(callee.module).functions[callee.index].has_body;
}

void Lowering::check_counts(std::string_view callee, std::size_t results, std::size_t parameters,
                            bool variadic) {
  const auto operands = body_.operands_of(*instruction_);
  if (operands[0].count != results)
    refuse_here(fmt::format("{} has {} results, {} are taken", callee, results, operands[0].count));
  const std::size_t given = operands[2].count;
  if (given != parameters && !(variadic && given >= parameters)) {
    refuse_here(fmt::format("{} has {} parameters, {} are given", callee, parameters, given));
  }
}

DraftPlace Lowering::call_place(const ptx::Operand& operand, const ptx::Parameter* parameter) {
  const unsigned bytes =
      parameter != nullptr ? static_cast<unsigned>(std::min<std::uint64_t>(parameter->size(), 16)) : 4;
  if (operand.kind == Kind::reg) {
    const ValueId value = operand.negated ? negated(register_value(operand)) : register_value(operand);
    return {Place::Kind::Row, value, 0, draft_.values[value].bytes};
  }
  if (operand.kind == Kind::sink) return {Place::Kind::Row, draft_.add(bytes), 0, bytes};
  if (const Slot* slot = slot_of(operand.kind, operand.index)) return place_of(*slot);
  OperandSpec spec{};
  spec.kind = OperandKind::Register;
  const bool is_float = parameter != nullptr && ptx::is_float(parameter->type);
  spec.value = is_float ? ValueKind::Float : ValueKind::Bits;
  spec.bits = static_cast<std::uint8_t>(8 * bytes);
  return {Place::Kind::Row, read(spec, operand), 0, bytes};
}

void Lowering::lower_call() {
  const auto operands = body_.operands_of(*instruction_);
  const ptx::Operand& target = operands[1];
  const std::vector<ptx::Parameter>*returns = nullptr, *parameters = nullptr;
  std::uint32_t callee = Terminator::indirect;
  ValueId row = no_value;
  if (target.kind == Kind::function) {
    const ptx::SymbolId id = context_.program.function(module_index_, target.index);
    const ptx::Function& function = context_.program.module(id.module).functions[id.index];
    if (!function.has_body) return lower_system_call(function.name);
    callee = static_cast<std::uint32_t>(context_.reached.find(id) - context_.reached.functions.data());
    returns = &function.returns;
    parameters = &function.parameters;
  } else if (target.kind == Kind::reg) {
    row = register_value(target);
    if (draft_.values[row].bytes == 4) row = converted(row, 8, false);
    if (draft_.values[row].bytes != 8) refuse_here("a function pointer has 64 bits");
    if (operands[3].kind == Kind::prototype) {
      const ptx::Prototype& prototype = body_.prototypes[operands[3].index];
      returns = &prototype.returns;
      parameters = &prototype.parameters;
    }
  } else {
    refuse_here("the target is neither a function nor a register");
  }
  if (parameters != nullptr) {
    const bool variadic =
        !parameters->empty() && parameters->back().is_array && parameters->back().extent == 0;
    check_counts(target.kind == Kind::function ? "the function" : "the prototype", returns->size(),
                 parameters->size(), variadic);
  }
  const auto places = [&](const ptx::Operand& list, const std::vector<ptx::Parameter>* declared) {
    std::vector<DraftPlace> result;
    std::size_t i = 0;
    for (ptx::Operand part : body_.parts_of(list)) {
      const ptx::Parameter* const parameter =
          declared != nullptr && i < declared->size() ? &(*declared)[i] : nullptr;
      ++i;
      // A vector register is as many places.
      const bool whole = part.kind == Kind::reg && part.component == ptx::Operand::kNoComponent;
      const unsigned width = whole ? body_.declaration_of(part.index).vector_width : 1;
      for (unsigned component = 0; component < width; ++component) {
        if (width > 1) part.component = static_cast<decltype(part.component)>(component);
        result.push_back(call_place(part, parameter));
      }
    }
    return result;
  };
  std::vector<DraftPlace> arguments = places(operands[2], parameters), results = places(operands[0], returns);
  DraftEnd& end = end_block(End::Call);
  end.target = callee;
  end.row = row;
  end.arguments = std::move(arguments);
  end.results = std::move(results);
}

}  // namespace wedjat::kernel
