#include "emulator/kernel/lower/parameters.h"

// `.param` variables. Of an entry: reads at constant places become rows. Of device functions and calls: a row
// where every access is to the whole of a scalar, else bytes of the local frame (PTX ISA 5.1.6, 7.1).
#include <fmt/format.h>

#include "emulator/kernel/forms/traits.h"
#include "emulator/kernel/lower/lowering.h"

namespace wedjat::kernel {

std::vector<std::uint64_t> parameter_offsets(const ptx::Function& entry, std::uint64_t& total) {
  std::vector<std::uint64_t> offsets;
  total = 0;
  for (const ptx::Parameter& parameter : entry.parameters) {
    const std::uint64_t alignment = std::max<std::uint64_t>(parameter.alignment, 1);
    total = (total + alignment - 1) / alignment * alignment;
    offsets.push_back(total);
    total += parameter.size();
  }
  return offsets;
}

// Programs may write any 64-bit number behind a name: sums of it do not pass the end of this.
using Offset = __int128;

// Compilers load and store the padding of structures with what lies before it, in vectors of up to 16 bytes.
static std::int64_t padded(std::uint64_t bytes) { return static_cast<std::int64_t>((bytes + 15) / 16 * 16); }

Lowering::Slot Lowering::make_slot(std::uint64_t size, std::uint32_t alignment, bool is_scalar) {
  Slot slot;
  if (size > UINT32_MAX / 2)
    throw ptx::Error(module_.name(), function_.where, "a .param variable larger than 2 GiB");
  slot.bytes = static_cast<std::uint32_t>(size);
  slot.alignment = std::max<std::uint32_t>(alignment, 1);
  slot.in_memory = !is_scalar || (size != 2 && size != 4 && size != 8 && size != 16);
  return slot;
}

void Lowering::make_slots() {
  const auto from = [&](const std::vector<ptx::Parameter>& parameters, std::vector<Slot>& slots) {
    for (const ptx::Parameter& p : parameters) {
      const bool variadic = p.is_array && p.extent == 0;
      slots.push_back(make_slot(variadic ? context_.reached.variadic_bytes : p.size(), p.alignment,
                                !p.is_array && p.vector_width == 1));
    }
  };
  if (!function_.is_entry) {
    from(function_.parameters, parameter_slots_);
    from(function_.returns, return_slots_);
  }
  for (std::uint32_t i = 0; i < body_.variables.size(); ++i) {
    const ptx::Variable& v = body_.variables[i];
    if (v.space == ptx::Space::param)
      variable_slots_[i] = make_slot(v.size(), v.alignment, v.extents.empty() && v.vector_width == 1);
  }
}

Lowering::Slot* Lowering::slot_of(Kind kind, std::uint32_t index) {
  if (kind == Kind::parameter && !function_.is_entry) return &parameter_slots_[index];
  if (kind == Kind::return_parameter) return &return_slots_[index];
  if (kind != Kind::local_variable) return nullptr;
  const auto found = variable_slots_.find(index);
  return found == variable_slots_.end() ? nullptr : &found->second;
}

void Lowering::note_slot_use(Kind kind, std::uint32_t index, std::int64_t offset, bool indexed,
                             const OperandSpec* element) {
  Slot* slot = slot_of(kind, index);
  if (slot == nullptr) return;
  if (element != nullptr && !indexed) {
    const Offset end = Offset{offset} + element->count * element->bits / 8;
    if (offset < 0 || end > padded(slot->bytes))
      refuse_here(
          fmt::format("bytes {} to {} of a .param variable that has {}", offset, end - 1, slot->bytes));
    slot->reach = std::max(slot->reach, static_cast<std::uint32_t>(end));
  }
  const bool whole = element != nullptr && element->count == 1 && element->bits == 8 * slot->bytes &&
                     offset == 0 && !indexed;
  if (!whole) slot->in_memory = true;
}

void Lowering::place_slots() {
  const auto place = [&](Slot& slot) {
    if (slot.in_memory)
      slot.offset = draft_.local(std::max(slot.bytes, slot.reach), slot.alignment);
    else
      slot.value = draft_.add(slot.bytes);
  };
  for (Slot& slot : parameter_slots_) place(slot);
  for (Slot& slot : return_slots_) place(slot);
  for (auto& [index, slot] : variable_slots_) place(slot);
  for (std::uint32_t i = 0; i < body_.variables.size(); ++i) {
    const ptx::Variable& variable = body_.variables[i];
    if (variable.space != ptx::Space::local) continue;
    local_offset_[i] = draft_.local(variable.size(), std::max(variable.alignment, 1u));
    if (context_.registers != Registers::shared)
      context_.kernel.variables.push_back(
          {std::string(variable.name), Space::Local, function_index_, local_offset_[i], variable.size()});
  }
  if (draft_.local_bytes > UINT32_MAX / 2)
    throw ptx::Error(module_.name(), function_.where,
                     fmt::format("{} bytes of local variables, more than any device has for a thread",
                                 draft_.local_bytes));
  if (function_.is_entry) return;
  const auto list = [&](const std::vector<Slot>& slots, const std::vector<std::uint32_t>& registers,
                        std::vector<DraftPlace>& places) {
    for (std::size_t i = 0; i < slots.size(); ++i) {
      if (registers[i] == ptx::kNone) {
        places.push_back(place_of(slots[i]));
      } else {
        for (unsigned c = 0; c < body_.declaration_of(registers[i]).vector_width; ++c) {
          const ValueId value = register_base_[registers[i]] + c;
          places.push_back({Place::Kind::Row, value, 0, draft_.values[value].bytes});
        }
      }
    }
  };
  list(parameter_slots_, body_.parameter_registers, draft_.parameters);
  list(return_slots_, body_.return_registers, draft_.results);
}

DraftPlace Lowering::place_of(const Slot& slot) const {
  if (slot.in_memory) return {Place::Kind::Local, no_value, slot.offset, slot.bytes};
  return {Place::Kind::Row, slot.value, 0, slot.bytes};
}

// ld.param and st.param of a slot that is a row.
bool Lowering::lower_slot_access(const Form& form) {
  const bool loads = is(&form, Operation::load);
  if (!loads && !is(&form, Operation::store)) return false;
  const BoundOperand& data = bound_[loads ? 0 : 1];
  const ptx::Operand& place = *bound_[loads ? 1 : 0].operand;
  const Slot* slot = place.is_address() ? slot_of(place.base, place.index) : nullptr;
  if (slot == nullptr || slot->in_memory) return false;
  const Form& move = micro_.move(slot->bytes);
  const ptx::Operand& element =
      data.operand->kind == Kind::vector ? body_.parts_of(*data.operand)[0] : *data.operand;
  if (loads) {
    add_step(move, {{write(*data.spec, &element), Role::Out}, {slot->value, Role::In}});
    flush_widening();
  } else {
    const ValueId from = read(*data.spec, element);
    add_step(move, {{slot->value, Role::Out}, {from, Role::In}});
  }
  return true;
}

bool Lowering::is_parameter_load(const Form& form) const {
  if (!function_.is_entry || !is(&form, Operation::load) || bound_.size() < 2 || bound_[1].operand == nullptr)
    return false;
  const ptx::Operand& place = *bound_[1].operand;
  return place.is_address() && place.base == Kind::parameter && place.index_register == ptx::kNone;
}

// Parameters lie side by side, so what begins in one may end in the next.
ValueId Lowering::parameter_element(const OperandSpec& spec, const ptx::Operand& place, unsigned element) {
  const unsigned bytes = spec.bits / 8;
  std::uint64_t total = 0;
  const auto first = static_cast<std::int64_t>(parameter_offsets(function_, total)[place.index]);
  const Offset offset = Offset{first} + place.value + Offset{element} * bytes, end = offset + bytes;
  const ptx::Parameter& parameter = function_.parameters[place.index];
  if (offset < 0 || (end > total && end > first + padded(parameter.size()))) {
    refuse_here(fmt::format("bytes {} to {} of parameter {}, which has {}", offset - first,
                            offset - first + bytes - 1, parameter.name, parameter.size()));
  }
  if (offset % bytes != 0)
    refuse_here(fmt::format("parameter byte {} is no address of a {}-byte value", offset, bytes));
  if (end > total) return draft_.fill(RowFill::Source::Constant, bytes, 0);
  return draft_.fill(RowFill::Source::Parameter, bytes, static_cast<std::uint64_t>(offset));
}

void Lowering::lower_parameter_load() {
  const OperandSpec& spec = *bound_[0].spec;
  const ptx::Operand& target = *bound_[0].operand;
  for (unsigned e = 0; e < spec.count; ++e) {
    ptx::Operand element = target.kind == Kind::vector ? body_.parts_of(target)[e] : target;
    if (element.kind == Kind::sink) continue;
    if (target.kind != Kind::vector && spec.count > 1) element.component = static_cast<std::uint8_t>(e);
    const ValueId to = register_value(element), from = parameter_element(spec, *bound_[1].operand, e);
    if (draft_.values[to].is_fill) continue;
    const unsigned wide = draft_.values[to].bytes, narrow = draft_.values[from].bytes;
    const Form& form =
        wide == narrow ? micro_.move(wide) : micro_.convert(wide, narrow, spec.value == ValueKind::Signed);
    add_step(form, {{to, Role::Out}, {from, Role::In}});
  }
}

}  // namespace wedjat::kernel
