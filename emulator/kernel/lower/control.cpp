// Control flow: how blocks end.
#include <fmt/format.h>

#include "emulator/kernel/lower/lowering.h"

namespace wedjat::kernel {

DraftEnd& Lowering::end_block(End kind) {
  DraftEnd& end = draft_.blocks[block_].end;
  end.kind = kind;
  end.next = block_ + 1;
  end.guard = guard_;
  end.negated = guard_ != no_value && instruction_->guard_negated;
  return end;
}

void Lowering::lower_control(const Form& form) {
  switch (form.control) {
    case Control::Branch: {
      DraftEnd& end = end_block(guard_ == no_value ? End::Fall : End::Branch);
      end.target = block_of_label(bound_[0].operand->index);
      break;
    }
    case Control::BranchIndexed: {
      const ValueId row = read(*bound_[0].spec, *bound_[0].operand);
      DraftEnd& end = end_block(End::IndexedBranch);
      end.row = row;
      for (std::uint32_t label : body_.branch_targets[bound_[1].operand->index].labels)
        end.targets.push_back(block_of_label(label));
      break;
    }
    case Control::Return:
      end_block(End::Return);
      break;
    case Control::Exit:
      end_block(End::Exit);
      break;
    case Control::Trap:
      end_block(End::Trap);
      break;
    case Control::Breakpoint:
      add_system_step(SystemOp::Breakpoint, {});
      break;
    case Control::Sleep:
      add_system_step(SystemOp::Nanosleep, {{read(*bound_[0].spec, *bound_[0].operand), Role::In}});
      break;
    case Control::Alloca:
      lower_alloca();
      break;
    case Control::StackSave:
    case Control::StackRestore:
      lower_stack_pointer(form.control == Control::StackSave);
      break;
    case Control::Event:
    case Control::Nothing:
      break;
    case Control::None:
    case Control::Call:     // lower_call() takes it
    case Control::Refused:  // decode_all() has said so
      refuse_here("this instruction is no control flow of its own");
  }
}

// stacksave d; stackrestore a
void Lowering::lower_stack_pointer(bool saves) {
  ValueId pointer =
      saves ? write(*bound_[0].spec, bound_[0].operand) : read(*bound_[0].spec, *bound_[0].operand);
  const ValueId narrow = pointer;
  const bool is_narrow = draft_.values[narrow].bytes != 8;
  if (is_narrow) pointer = saves ? draft_.add(8) : converted(narrow, 8, false);
  add_system_step(saves ? SystemOp::StackSave : SystemOp::StackRestore,
                  {{pointer, saves ? Role::Out : Role::In}});
  if (is_narrow && saves) add_step(micro_.convert(4, 8, false), {{narrow, Role::Out}, {pointer, Role::In}});
  flush_widening();
}

// alloca d, size{, alignment}
void Lowering::lower_alloca() {
  ValueId size = read(*bound_[1].spec, *bound_[1].operand);
  if (draft_.values[size].bytes != 8) size = converted(size, 8, false);
  const bool aligned = bound_.size() > 2 && bound_[2].operand != nullptr;
  const auto alignment = aligned ? static_cast<ValueId>(bound_[2].operand->value) : 8;
  if (alignment == 0 || (alignment & (alignment - 1)) != 0) refuse_here("an alignment is a power of two");
  const ValueId pointer = write(*bound_[0].spec, bound_[0].operand);
  const bool is_narrow = draft_.values[pointer].bytes != 8;
  const ValueId wide = is_narrow ? draft_.add(8) : pointer;
  add_system_step(SystemOp::Alloca, {{wide, Role::Out}, {size, Role::In}, {alignment, Role::Number}});
  if (is_narrow) add_step(micro_.convert(4, 8, false), {{pointer, Role::Out}, {wide, Role::In}});
  flush_widening();
}

}  // namespace wedjat::kernel
