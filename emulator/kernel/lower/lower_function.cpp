#include <fmt/format.h>

#include <algorithm>

#include "emulator/kernel/forms/traits.h"
#include "emulator/kernel/legality/refusal.h"
#include "emulator/kernel/lower/lowering.h"

namespace wedjat::kernel {
namespace {

bool ends_block(Control control) {
  return control == Control::Branch || control == Control::BranchIndexed || control == Control::Return ||
         control == Control::Exit || control == Control::Trap;
}

}  // namespace

Lowering::Lowering(KernelContext& context, std::uint32_t function_index)
    : context_(context),
      function_index_(function_index),
      module_index_(context.reached.functions[function_index].id.module),
      function_(*context.reached.functions[function_index].function),
      module_(function_.module()),
      body_(function_.body()),
      decoder_(context.table, function_, body_),
      micro_(context.table) {}

void Lowering::refuse_here(const std::string& message) const {
  refuse(module_, instruction_->where, fmt::format("'{}': {}", text_of(module_, *instruction_), message));
}

Draft Lowering::run() {
  register_base_.resize(body_.register_count);
  for (const ptx::RegisterDeclaration& declared : body_.registers) {
    for (std::uint32_t reg = declared.first; reg < declared.first + declared.count; ++reg) {
      register_base_[reg] = static_cast<ValueId>(draft_.values.size());
      for (unsigned component = 0; component < declared.vector_width; ++component)
        draft_.add(ptx::size_of(declared.type));
    }
  }
  writes_.resize(draft_.values.size());
  make_slots();
  decode_all();
  place_slots();
  alias_.assign(draft_.values.size(), no_value);
  versions_.resize(draft_.values.size());
  find_aliases();
  find_blocks();
  draft_.blocks.resize(block_start_.size());
  for (block_ = 0; block_ < block_start_.size(); ++block_) lower_block(block_);
  if (context_.registers != Registers::shared) declare_registers();
  return std::move(draft_);
}

void Lowering::decode_all() {
  forms_.resize(body_.instructions.size());
  for (std::uint32_t i = 0; i < forms_.size(); ++i) {
    instruction_ = &body_.instructions[i];
    forms_[i] = &decoder_.decode(*instruction_);
    note_accesses(i, *forms_[i]);
  }
  // Only now: what is not legal at all is said first.
  for (std::uint32_t i = 0; i < forms_.size(); ++i)
    if (forms_[i]->control == Control::Refused) refuse_to_run(module_, body_.instructions[i], *forms_[i]);
}

void Lowering::note_accesses(std::uint32_t index, const Form& form) {
  const auto write_to = [&](const ptx::Operand& operand) {
    if (operand.kind != Kind::reg) return;
    const unsigned width = body_.declaration_of(operand.index).vector_width;
    if (operand.component != ptx::Operand::kNoComponent)
      ++writes_[register_base_[operand.index] + operand.component];
    else
      for (unsigned c = 0; c < width; ++c) ++writes_[register_base_[operand.index] + c];
  };
  if (form.control == Control::Call) {
    for (const ptx::Operand& result : body_.parts_of(body_.operands_of(body_.instructions[index])[0]))
      write_to(result);
    return;
  }
  if (form.control == Control::Alloca) has_alloca_ = true;
  const bool loads = is(&form, Operation::load), stores = is(&form, Operation::store);
  for (const BoundOperand& bound : decoder_.operands()) {
    if (bound.operand == nullptr) continue;
    const ptx::Operand& operand = *bound.operand;
    if (bound.spec->kind == OperandKind::Address) {
      // A function that writes its own parameter gets a copy in memory: a row may stand for other registers
      // too.
      const bool whole = loads || (stores && operand.base != Kind::parameter);
      const OperandSpec* element = whole ? &form.operand[loads ? 0 : 1] : nullptr;
      note_slot_use(operand.base, operand.index, operand.value, operand.index_register != ptx::kNone,
                    element);
    } else if (operand.kind == Kind::vector) {
      for (const ptx::Operand& part : body_.parts_of(operand)) {
        if (bound.spec->out) write_to(part);
      }
    } else {
      if (bound.spec->out) write_to(operand);
      note_slot_use(operand.named(), operand.index, operand.value, false, nullptr);
    }
  }
}

// Registers that are written once, with what a row holds anyway.
void Lowering::find_aliases() {
  for (std::uint32_t i = 0; i < forms_.size(); ++i) {
    const Form& form = *forms_[i];
    instruction_ = &body_.instructions[i];
    if (instruction_->guard != ptx::kNone || !is(&form, Operation::copy, Operation::load)) continue;
    if (bind(form, body_, body_.operands_of(*instruction_), bound_).mismatch != Mismatch::none ||
        bound_.size() != 2)
      continue;
    const OperandSpec& to = *bound_[0].spec;
    const ptx::Operand& target = *bound_[0].operand;
    const ptx::Operand& source = *bound_[1].operand;
    const auto once = [&](const ptx::Operand& operand) {
      if (operand.kind != Kind::reg) return no_value;
      const unsigned component = operand.component == ptx::Operand::kNoComponent ? 0 : operand.component;
      const ValueId value = register_base_[operand.index] + component;
      return writes_[value] == 1 && draft_.values[value].bytes == to.bits / 8 ? value : no_value;
    };
    if (is_parameter_load(form)) {
      for (unsigned e = 0; e < to.count; ++e) {
        const ptx::Operand& element = target.kind == Kind::vector ? body_.parts_of(target)[e] : target;
        if (element.kind == Kind::reg && to.count > 1 && target.kind == Kind::reg)
          continue;  // a vector register
        if (const ValueId value = once(element); value != no_value)
          alias_[value] = parameter_element(to, source, e);
      }
    } else if (const Slot* slot = source.is_address() ? slot_of(source.base, source.index) : nullptr) {
      const ValueId value = once(target);
      if (source.base == Kind::parameter && !slot->in_memory && value != no_value)
        alias_[value] = slot->value;
    } else if (is(&form, Operation::copy) && to.count == 1 && bound_[1].spec->count == 1 &&
               to.kind == OperandKind::Register) {
      const ValueId value = once(target);
      const bool is_computed = source.kind == Kind::element && source.index_register != ptx::kNone;
      const bool fixed =
          !is_computed && (source.is_immediate() ||
                           (source.kind == Kind::special_register ? !changes(source) : to.bits == 64));
      if (value != no_value && source.kind != Kind::reg && fixed)
        alias_[value] = read(*bound_[1].spec, source);
    }
  }
}

void Lowering::find_blocks() {
  const std::size_t count = body_.instructions.size();
  std::vector<bool> leader(count + 1);
  leader[0] = leader[count] = true;
  const auto mark = [&](const ptx::Operand& operand) {
    if (operand.kind == Kind::label) leader[body_.labels[operand.index].position] = true;
  };
  for (const ptx::Operand& operand : body_.operands) mark(operand);
  for (const ptx::BranchTargets& targets : body_.branch_targets) {
    for (std::uint32_t label : targets.labels) leader[body_.labels[label].position] = true;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    bool ends = ends_block(forms_[i]->control);
    if (forms_[i]->control == Control::Call) {
      const ptx::Operand& target = body_.operands_of(body_.instructions[i])[1];
      ends = target.kind != Kind::function || !is_system_call(target);
    }
    if (ends) leader[i + 1] = true;
  }
  block_of_.resize(count + 1);
  for (std::uint32_t i = 0; i <= count; ++i) {
    if (leader[i]) block_start_.push_back(i);
    block_of_[i] = static_cast<std::uint32_t>(block_start_.size() - 1);
  }
}

void Lowering::lower_block(std::uint32_t block) {
  DraftBlock& b = draft_.blocks[block];
  b.first = static_cast<std::uint32_t>(draft_.steps.size());
  b.end = {.kind = End::Fall, .id = id_, .target = block + 1};
  b.first_id = static_cast<std::uint32_t>(context_.kernel.origins.size());
  sums_.clear();
  const bool is_last = block + 1 == block_start_.size();
  const std::uint32_t end = is_last ? block_start_[block] : block_start_[block + 1];
  if (is_last) b.end.kind = End::Return;  // falling off the end
  for (index_ = block_start_[block]; index_ < end; ++index_) {
    try {
      lower_instruction(index_);
    } catch (const NoSuchForm& missing) {
      refuse_here(missing.what());
    }
  }
  b.count = static_cast<std::uint32_t>(draft_.steps.size()) - b.first;
  b.instructions = end - block_start_[block];
  // Pragmas stand in the order of the text.
  const auto first = std::ranges::lower_bound(body_.pragmas, block_start_[block], {}, &ptx::Pragma::position);
  const auto last = std::ranges::lower_bound(body_.pragmas, end, {}, &ptx::Pragma::position);
  b.rolled = std::ranges::count(first, last, "nounroll", &ptx::Pragma::text) != 0;
}

void Lowering::lower_instruction(std::uint32_t index) {
  instruction_ = &body_.instructions[index];
  id_ = add_origin(*instruction_);
  if (instruction_->guard != ptx::kNone) {
    context_.kernel.origins[id_].guard_register = register_base_[instruction_->guard];
    context_.kernel.origins[id_].guard_negated = instruction_->guard_negated;
  }
  draft_.blocks[block_].end.id = id_;
  guard_ = instruction_->guard == ptx::kNone ? no_value : register_value(instruction_->guard);
  const Form& form = *forms_[index];
  if (form.control == Control::Call) return lower_call();
  bind(form, body_, body_.operands_of(*instruction_), bound_);
  if (context_.registers != Registers::shared) name_registers();
  if (form.level == Level::Control) return lower_control(form);
  check_opaque();
  if (form.full == nullptr) return;  // `nothing`: legal and without effect
  if (is_parameter_load(form)) return lower_parameter_load();
  if (is_aliased(form) || lower_slot_access(form)) return;
  lower_ordinary(form);
}

// Its only result is a register that stands for something else.
bool Lowering::is_aliased(const Form& form) const {
  if (!is(&form, Operation::copy, Operation::load) || bound_[0].operand == nullptr ||
      bound_[0].operand->kind != Kind::reg)
    return false;
  const ptx::Operand& target = *bound_[0].operand;
  const unsigned component = target.component == ptx::Operand::kNoComponent ? 0 : target.component;
  return alias_[register_base_[target.index] + component] != no_value;
}

std::uint32_t Lowering::add_origin(const ptx::Instruction& instruction) {
  Origin origin{.function = function_index_,
                .ptx_line = instruction.where.line,
                .text = text_of(module_, instruction),
                .form = forms_[index_]};
  if (instruction.loc != ptx::kNone) {
    const ptx::Loc& loc = body_.locs[instruction.loc];
    const auto file = std::ranges::find(module_.files, loc.file, &ptx::DebugFile::index);
    if (file != module_.files.end()) {
      auto& names = context_.kernel.source_files;
      const auto known = std::ranges::find(names, file->name);
      origin.source_file = static_cast<std::uint32_t>(known - names.begin());
      if (known == names.end()) names.emplace_back(file->name);
      origin.source_line = loc.line;
    }
  }
  context_.kernel.origins.push_back(std::move(origin));
  return static_cast<std::uint32_t>(context_.kernel.origins.size() - 1);
}

}  // namespace wedjat::kernel
