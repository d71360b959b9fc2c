// Functions the CUDA device runtime provides (CUDA programming guide, "Formatted output", "Assertion",
// "Dynamic global memory").
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "emulator/kernel/legality/refusal.h"
#include "emulator/kernel/lower/lowering.h"

namespace wedjat::kernel {
namespace {

struct SystemFunction {
  std::string_view name;
  SystemOp op;
  unsigned result_bytes;  // 0: none
  unsigned arguments;
  std::array<std::uint8_t, 5> argument_bytes;
  bool ordered;
};

constexpr std::array<SystemFunction, 4> system_functions = {{
    {"vprintf", SystemOp::Vprintf, 4, 2, {8, 8}, true},
    {"malloc", SystemOp::Malloc, 8, 1, {8}, true},
    {"free", SystemOp::Free, 0, 1, {8}, true},
    {"__assertfail", SystemOp::AssertFail, 0, 5, {8, 8, 4, 8, 8}, false},
}};

}  // namespace

// What `param0` of the call holds, as a row.
ValueId Lowering::argument_value(const ptx::Operand& operand, unsigned bytes) {
  OperandSpec parameter{};
  parameter.kind = OperandKind::Register;
  parameter.value = ValueKind::Bits;
  parameter.bits = static_cast<std::uint8_t>(8 * bytes);
  parameter.extends = true;
  const Slot* slot = slot_of(operand.kind, operand.index);
  if (slot == nullptr) {
    if (operand.kind == Kind::reg && draft_.values[register_value(operand)].bytes < bytes) {
      return converted(register_value(operand), bytes, false);
    }
    return read(parameter, operand);
  }
  if (!slot->in_memory) return slot->bytes == bytes ? slot->value : converted(slot->value, bytes, false);
  if (slot->bytes < bytes)
    refuse_here(fmt::format("an argument of {} bytes where {} are needed", slot->bytes, bytes));
  const ValueId value = draft_.add(bytes);
  const ValueId place = draft_.fill(RowFill::Source::Local, 8, slot->offset);
  add_step(micro_.load_local(bytes), {{value, Role::Out}, {place, Role::In}}, false);
  return value;
}

void Lowering::deliver_result(const ptx::Operand& operand, ValueId value) {
  const unsigned bytes = draft_.values[value].bytes;
  ValueId to = no_value;
  if (const Slot* slot = slot_of(operand.kind, operand.index)) {
    if (slot->in_memory) {
      if (slot->bytes < bytes)
        refuse_here(fmt::format("a result of {} bytes in a variable of {}", bytes, slot->bytes));
      const ValueId place = draft_.fill(RowFill::Source::Local, 8, slot->offset);
      return add_step(micro_.store_local(bytes), {{place, Role::In}, {value, Role::In}});
    }
    to = slot->value;
  } else if (operand.kind == Kind::reg) {
    to = register_value(operand);
  } else {
    return;
  }
  const unsigned wide = draft_.values[to].bytes;
  const Form& form = wide == bytes ? micro_.move(bytes) : micro_.convert(wide, bytes, false);
  add_step(form, {{to, Role::Out}, {value, Role::In}});
}

void Lowering::lower_system_call(std::string_view name) {
  const auto known = std::ranges::find(system_functions, name, &SystemFunction::name);
  if (known == system_functions.end()) {
    const std::string message = fmt::format(
        "the device runtime function {} is not provided (vprintf, malloc, free and __assertfail are; dynamic "
        "parallelism is not)",
        name);
    // libcudadevrt.a has these, so a kernel that calls one is well.
    if (name.starts_with("cuda") || name.starts_with("__cuda"))
      throw NotRun(module_.name(), instruction_->where, message,
                   module_.source().line(instruction_->where.line));
    refuse_here(message);
  }
  const auto operands = body_.operands_of(*instruction_);
  if (operands[2].count != known->arguments) {
    refuse_here(fmt::format("{} has {} parameters, {} are given", name, known->arguments, operands[2].count));
  }
  std::vector<Use> uses;
  ValueId result = no_value;
  if (known->result_bytes != 0) uses.push_back({result = draft_.add(known->result_bytes), Role::Out});
  const auto arguments = body_.parts_of(operands[2]);
  for (unsigned i = 0; i < known->arguments; ++i) {
    uses.push_back({argument_value(arguments[i], known->argument_bytes[i]), Role::In});
  }
  begin_uses();
  draft_.uses.insert(draft_.uses.end(), uses.begin(), uses.end());
  const unsigned flags =
      step_flag::system | (known->ordered ? step_flag::ordered : 0u) | static_cast<unsigned>(known->op) << 8;
  finish_step(nullptr, static_cast<std::uint16_t>(flags), true);
  if (result != no_value && operands[0].count != 0) deliver_result(body_.parts_of(operands[0])[0], result);
}

}  // namespace wedjat::kernel
