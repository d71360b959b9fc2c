// Addresses: symbols, registers, displacements.
#include <fmt/format.h>

#include <bit>

#include "emulator/kernel/lower/lowering.h"
#include "emulator/kernel/lower/parameters.h"

namespace wedjat::kernel {
namespace {

using Source = RowFill::Source;

// Whether a variable of this space may be named by an access to that space.
bool may_name(Space access, ptx::Space variable) {
  switch (access) {
    case Space::Global:
      return variable == ptx::Space::global;
    case Space::Const:
      return variable == ptx::Space::constant;
    case Space::Shared:
    case Space::SharedCluster:
      return variable == ptx::Space::shared;
    case Space::Local:
      return variable == ptx::Space::local;
    case Space::Param:
    case Space::ParamEntry:
    case Space::ParamFunc:
      return variable == ptx::Space::param;
    default:
      return true;
  }
}

// A window of less than 2 GiB, whose addresses have 32 bits.
bool is_window(Space space) {
  return space != Space::Global && space != Space::Generic && space != Space::None;
}

}  // namespace

ValueId Lowering::symbol(unsigned bytes, Kind kind, std::uint32_t index, std::int64_t offset) {
  const auto displaced = [&](std::uint64_t address) { return address + static_cast<std::uint64_t>(offset); };
  const auto sized = [&](ValueId address) { return bytes == 8 ? address : converted(address, bytes, false); };
  const auto fixed = [&](std::uint64_t address) {
    return draft_.fill(Source::Constant, bytes,
                       bytes == 8 ? displaced(address) : displaced(address) & 0xffffffffu);
  };
  if (const Slot* slot = slot_of(kind, index))
    return sized(draft_.fill(Source::Local, 8, displaced(slot->offset)));
  if (kind == Kind::parameter) {
    std::uint64_t total = 0;
    if (ptx::is_opaque(function_.parameters[index].type))  // what it names is in it
      return draft_.fill(Source::Parameter, bytes, parameter_offsets(function_, total)[index]);
    return sized(
        draft_.fill(Source::ParameterAddress, 8, displaced(parameter_offsets(function_, total)[index])));
  }
  if (kind == Kind::function) {
    const ptx::SymbolId id = context_.program.function(module_index_, index);
    // The address of an entry means nothing where kernels launch none: an H200 gives 0.
    const bool is_entry = context_.program.module(id.module).functions[id.index].is_entry;
    return is_entry ? draft_.fill(Source::Constant, bytes, 0) : fixed(context_.addresses.function(id));
  }
  if (kind == Kind::variable) {
    const ptx::SymbolId id = context_.program.variable(module_index_, index);
    const ptx::Variable& variable = context_.program.module(id.module).variables[id.index];
    if (variable.space == ptx::Space::shared)
      return draft_.fill(Source::Shared, bytes, displaced(context_.reached.shared_offset(variable)));
    if (variable.space == ptx::Space::local)
      refuse_here(fmt::format("{} is a .local variable of module scope", variable.name));
    return fixed(context_.addresses.variable(id));
  }
  const ptx::Variable& variable = body_.variables[index];
  if (variable.space == ptx::Space::shared)
    return draft_.fill(Source::Shared, bytes, displaced(context_.reached.shared_offset(variable)));
  if (variable.space == ptx::Space::local)
    return sized(draft_.fill(Source::Local, 8, displaced(local_offset_.at(index))));
  return fixed(context_.addresses.variable(module_index_, variable));
}

ValueId Lowering::symbol_address(const OperandSpec& spec, const ptx::Operand& operand) {
  ptx::Space space = ptx::Space::param;
  std::string_view name = "the parameter";
  if (operand.base == Kind::variable || operand.base == Kind::local_variable) {
    const ptx::Variable& variable =
        operand.base == Kind::variable ? module_.variables[operand.index] : body_.variables[operand.index];
    space = variable.space;
    name = variable.name;
  }
  if (!may_name(spec.space, space)) refuse_here(fmt::format("{} lies in .{}", name, ptx::name_of(space)));
  const ValueId address = symbol(8, operand.base, operand.index, operand.value);
  const bool is_generic = spec.space == Space::Generic || spec.space == Space::None;
  if (!is_generic) return address;
  const Value value = draft_.values[address];
  if (value.fill.source == Source::Local) return draft_.fill(Source::LocalGeneric, 8, value.fill.value);
  if (space != ptx::Space::shared) return address;
  const ValueId generic = draft_.add(8);
  add_step(micro_.shared_to_generic(), {{generic, Role::Out}, {address, Role::In}}, false);
  return generic;
}

ValueId Lowering::address(const OperandSpec& spec, const ptx::Operand& operand) {
  ValueId base = no_value;
  std::int64_t displacement = 0;
  switch (operand.base) {
    case Kind::none:
      if (spec.space != Space::Local) refuse_here("a number is an address of .local only");
      base = draft_.fill(Source::Constant, 8, static_cast<std::uint64_t>(operand.value));
      break;
    case Kind::reg:
      base = register_value(operand);
      displacement = operand.value;
      if (draft_.values[base].bytes != 4 && draft_.values[base].bytes != 8)
        refuse_here("an address register has 32 or 64 bits");
      if (const ptx::Type type = body_.declaration_of(operand.index).type; ptx::is_float(type))
        refuse_here(fmt::format("{} is .{}: addresses are integers", body_.register_name(operand.index),
                                ptx::name_of(type)));
      // A base below a window plus a displacement wraps in 32 bits; with the sign kept, it need not be cut
      // to 32.
      if (draft_.values[base].bytes == 4) base = converted(base, 8, is_window(spec.space));
      break;
    case Kind::variable:
    case Kind::local_variable:
    case Kind::parameter:
    case Kind::return_parameter:
      base = symbol_address(spec, operand);
      break;
    default:
      refuse_here("this cannot be an address");
  }
  if (operand.index_register != ptx::kNone) base = sum(base, index(operand));
  if (displacement == 0) return base;
  return sum(base, draft_.fill(Source::Constant, 8, static_cast<std::uint64_t>(displacement)));
}

// Bytes that the index register of `a[%r]` stands for: multiplied in the width of the register, then extended
// by zeros, as ptxas does.
ValueId Lowering::index(const ptx::Operand& operand) {
  ValueId value = register_value(operand.index_register);
  unsigned bytes = draft_.values[value].bytes;
  if (bytes < 4) value = converted(value, bytes = 4, false);
  if (operand.component > 1) {
    const ValueId bits = draft_.fill(Source::Constant, 4, std::countr_zero(unsigned{operand.component}));
    const ValueId to = draft_.add(bytes);
    add_step(micro_.shift_left(bytes), {{to, Role::Out}, {value, Role::In}, {bits, Role::In}}, false);
    value = to;
  }
  return bytes == 8 ? value : converted(value, 8, false);
}

// `a[%r]` as a value.
ValueId Lowering::element(const OperandSpec& spec, const ptx::Operand& operand) {
  if (operand.index_register == ptx::kNone)
    return symbol(spec.bits / 8, operand.base, operand.index, operand.value);
  const ValueId at = sum(symbol(8, operand.base, operand.index, operand.value), index(operand));
  return spec.bits == 64 ? at : converted(at, spec.bits / 8, false);
}

// Sums already made in this block are not made again.
ValueId Lowering::sum(ValueId base, ValueId more) {
  const auto version = [&](ValueId value) { return value < versions_.size() ? versions_[value] : 0; };
  if (context_.registers == Registers::writable) sums_.clear();
  const auto [at, added] = sums_.try_emplace({base, more, version(base), version(more)}, no_value);
  if (!added) return at->second;
  const ValueId to = at->second = draft_.add(8);
  add_step(micro_.add(8), {{to, Role::Out}, {base, Role::In}, {more, Role::In}}, false);
  return to;
}

}  // namespace wedjat::kernel
