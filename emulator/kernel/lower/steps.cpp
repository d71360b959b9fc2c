// Appending steps to the draft.
#include "emulator/kernel/forms/labels.h"
#include "emulator/kernel/lower/lowering.h"

namespace wedjat::kernel {
namespace {

// What the run loop must know of a form, see step_flag.
std::uint16_t flags_of(const Form& form) {
  std::uint16_t flags = 0;
  if (form.effects & effect::barrier) flags |= step_flag::barrier;
  if ((form.effects & (effect::updates_memory | effect::ordered)) || is_strong(form))
    flags |= step_flag::communicates;
  if ((form.effects & effect::ordered) && reaches_all_ctas(form)) flags |= step_flag::ordered;
  return flags;
}

}  // namespace

bool reaches_all_ctas(const Form& form) {
  for (unsigned i = 0; i < form.operands; ++i) {
    if (form.operand[i].kind != OperandKind::Address) continue;
    return form.operand[i].space == Space::Generic || form.operand[i].space == Space::Global;
  }
  return false;
}

void Lowering::finish_step(const Form* form, std::uint16_t flags, bool guarded) {
  DraftStep step;
  step.form = form;
  step.id = id_;
  step.first_use = first_use_;
  step.uses = static_cast<std::uint32_t>(draft_.uses.size()) - first_use_;
  step.flags = flags;
  if (guarded && guard_ != no_value) {
    step.guard = guard_;
    if (instruction_->guard_negated) step.flags |= step_flag::guard_negated;
  }
  draft_.steps.push_back(step);
  for (const Use& use : draft_.uses_of(step)) {
    if (use.role == Role::Out || use.role == Role::InOut) touched(use.value);
  }
}

void Lowering::add_step(const Form& form, std::initializer_list<Use> uses, bool guarded) {
  begin_uses();
  draft_.uses.insert(draft_.uses.end(), uses);
  finish_step(&form, 0, guarded);
  draft_.steps.back().is_own = !guarded;
}

void Lowering::add_system_step(SystemOp op, std::initializer_list<Use> uses, std::uint16_t flags) {
  begin_uses();
  draft_.uses.insert(draft_.uses.end(), uses);
  const auto number = static_cast<std::uint16_t>(static_cast<unsigned>(op) << 8);
  finish_step(nullptr, static_cast<std::uint16_t>(step_flag::system | number | flags), true);
}

void Lowering::lower_ordinary(const Form& form) {
  // Inputs first: reading them may take steps of its own.
  std::vector<Use> uses;
  unsigned waited = 0;
  for (std::size_t i = 0; i < bound_.size(); ++i) {
    const OperandSpec& spec = *bound_[i].spec;
    const ptx::Operand* operand = bound_[i].operand;
    if (static_cast<int>(i) == form.sync_operand) waited = static_cast<unsigned>(uses.size());
    if (spec.attached.what != Attach::None) {
      uses.push_back({draft_.fill(RowFill::Source::Constant, spec.bits / 8, bound_[i].attached), Role::In});
      continue;
    }
    if (spec.kind == OperandKind::Address) {
      uses.push_back({address(spec, *operand), Role::In});
      continue;
    }
    for (unsigned e = 0; e < spec.count; ++e) {
      const ptx::Operand* element = operand;
      ptx::Operand component;
      if (operand != nullptr && operand->kind == Kind::vector) {
        element = &body_.parts_of(*operand)[e];
      } else if (operand != nullptr && spec.count > 1) {
        component = *operand;
        component.component = static_cast<std::uint8_t>(e);
        element = &component;
      }
      if (spec.out) {
        uses.push_back({write(spec, element), spec.in ? Role::InOut : Role::Out});
      } else {
        uses.push_back(
            {element ? read(spec, *element) : draft_.fill(RowFill::Source::Constant, spec.bits / 8, 0),
             Role::In});
      }
    }
  }
  begin_uses();
  draft_.uses.insert(draft_.uses.end(), uses.begin(), uses.end());
  std::uint16_t flags = flags_of(form);
  if (form.effects & effect::warp_sync)
    flags |= static_cast<std::uint16_t>(step_flag::rendezvous | waited << 8);
  if (form.effects & effect::waits) flags |= static_cast<std::uint16_t>(step_flag::waits | waited << 8);
  finish_step(&form, flags, true);
  flush_widening();
}

}  // namespace wedjat::kernel
