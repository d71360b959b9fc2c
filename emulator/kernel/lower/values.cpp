// Operands as values: registers, literals, special registers, symbols; chopped or extended where a register
// is wider than its view.
#include <fmt/format.h>

#include <bit>

#include "emulator/kernel/legality/availability.h"
#include "emulator/kernel/lower/lowering.h"
#include "emulator/kernel/lowered/special_registers.h"

namespace wedjat::kernel {
namespace {

std::uint64_t truncated(std::uint64_t value, unsigned bytes) {
  return bytes >= 8 ? value : value & ((std::uint64_t{1} << 8 * bytes) - 1);
}

// PTX ISA 4.5: a floating-point literal becomes the instruction's type.
std::uint64_t float_pattern(const ptx::Operand& operand, unsigned bits) {
  const auto raw = static_cast<std::uint64_t>(operand.value);
  const bool is_single = operand.kind == ptx::Operand::Kind::float32;
  if (bits == 32 && !is_single)
    return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(raw)));
  if (bits == 64 && is_single)
    return std::bit_cast<std::uint64_t>(
        static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(raw))));
  return raw;
}

}  // namespace

ValueId Lowering::resolve(ValueId value) const { return alias_[value] == no_value ? value : alias_[value]; }

ValueId Lowering::register_value(const ptx::Operand& operand) const {
  return register_value(operand.index,
                        operand.component == ptx::Operand::kNoComponent ? 0 : operand.component);
}

ValueId Lowering::read(const OperandSpec& spec, const ptx::Operand& operand) {
  if (operand.kind == Kind::special_register) return special(spec, operand);
  if (operand.is_immediate()) return constant(spec, operand);
  if (operand.kind == Kind::element) return element(spec, operand);
  if (operand.kind != Kind::reg) return symbol(spec.bits / 8, operand.kind, operand.index, operand.value);
  ValueId value = register_value(operand);
  if (operand.negated) return negated(value);
  if (operand.value != 0) value = displaced(value, operand.value);
  const unsigned bytes = spec.value == ValueKind::Pred ? 0 : spec.bits / 8;
  return draft_.values[value].bytes == bytes ? value : converted(value, bytes, false);
}

ValueId Lowering::constant(const OperandSpec& spec, const ptx::Operand& operand) {
  if (spec.kind == OperandKind::Predicate || spec.value == ValueKind::Pred) {
    return draft_.fill(RowFill::Source::Constant, 0,
                       (operand.value != 0) != operand.negated ? 0xffffffffu : 0);
  }
  const unsigned bytes = spec.bits / 8;
  if (operand.kind != Kind::integer)
    return draft_.fill(RowFill::Source::Constant, bytes, float_pattern(operand, spec.bits));
  const bool extend = bytes == 16 && !operand.is_unsigned && operand.value < 0;
  return draft_.fill(RowFill::Source::Constant, bytes,
                     truncated(static_cast<std::uint64_t>(operand.value), bytes),
                     extend ? ~std::uint64_t{0} : 0);
}

bool Lowering::changes(const ptx::Operand& operand) const {
  const SpecialName* const special = special_register_named(body_.special_registers[operand.index]);
  return special != nullptr && !special->is_vector && !special->is_constant &&
         changes_while_running(special->which);
}

ValueId Lowering::special(const OperandSpec& spec, const ptx::Operand& operand) {
  std::string name(body_.special_registers[operand.index]);
  if (operand.component != ptx::Operand::kNoComponent) name += {'.', "xyzw"[operand.component]};
  const unsigned bytes = spec.value == ValueKind::Pred ? 0 : spec.bits / 8;
  const SpecialName* const special = special_register_named(name);
  if (special == nullptr) refuse_here(fmt::format("no semantics for the special register {}", name));
  if (const std::string why = unavailable(special->ptx, special->targets, function_.module()); !why.empty())
    refuse_here(fmt::format("{} {}", name, why));
  if (special->is_constant) return draft_.fill(RowFill::Source::Constant, bytes, special->constant);
  const auto number = static_cast<std::uint32_t>(special->which);
  if (!changes_while_running(special->which)) return draft_.fill(RowFill::Source::Special, bytes, number);
  const ValueId value = draft_.add(bytes);
  add_system_step(SystemOp::Refresh, {{value, Role::Out}, {number, Role::Number}, {bytes, Role::Number}});
  return value;
}

ValueId Lowering::displaced(ValueId value, std::int64_t by) {
  const unsigned bytes = draft_.values[value].bytes;
  const ValueId to = draft_.add(bytes),
                offset = draft_.fill(RowFill::Source::Constant, bytes,
                                     truncated(static_cast<std::uint64_t>(by), bytes));
  add_step(micro_.add(bytes), {{to, Role::Out}, {value, Role::In}, {offset, Role::In}}, false);
  return to;
}

ValueId Lowering::converted(ValueId from, unsigned bytes, bool is_signed) {
  const ValueId to = draft_.add(bytes);
  add_step(micro_.convert(bytes, draft_.values[from].bytes, is_signed), {{to, Role::Out}, {from, Role::In}},
           false);
  return to;
}

ValueId Lowering::negated(ValueId predicate) {
  const ValueId to = draft_.add(0);
  add_step(micro_.not_pred(), {{to, Role::Out}, {predicate, Role::In}}, false);
  return to;
}

ValueId Lowering::write(const OperandSpec& spec, const ptx::Operand* operand) {
  const unsigned bytes =
      spec.kind == OperandKind::Predicate || spec.value == ValueKind::Pred ? 0 : spec.bits / 8;
  if (operand == nullptr || operand->kind == Kind::sink) return draft_.add(bytes);
  const ValueId value = register_value(*operand);
  if (draft_.values[value].bytes == bytes) return value;
  const ValueId narrow = draft_.add(bytes);
  widenings_.push_back({narrow, value, spec.value == ValueKind::Signed});
  return narrow;
}

void Lowering::flush_widening() {
  for (const Widening& widening : widenings_) {
    add_step(micro_.convert(draft_.values[widening.to].bytes, draft_.values[widening.from].bytes,
                            widening.is_signed),
             {{widening.to, Role::Out}, {widening.from, Role::In}});
  }
  widenings_.clear();
}

}  // namespace wedjat::kernel
