// Names used before they are declared: labels below, or special registers that nothing declares.
//
// Such a name becomes an operand of kind none whose base is label and whose index is that of the reference,
// until the body's end settles it.
#include "emulator/ptx/builder/body_builder.h"

namespace wedjat::ptx {
namespace {

using Kind = Operand::Kind;

bool is_forward_kind(Kind kind) { return kind >= Kind::label && kind <= Kind::prototype; }

}  // namespace

std::optional<Entity> BodyBuilder::find(std::string_view name) const {
  if (const auto entity = names_.find(name)) return entity;
  if (const std::uint32_t index = module_.find_variable(name); index != kNone)
    return Entity{Kind::variable, index};
  if (const std::uint32_t index = module_.find_function(name); index != kNone)
    return Entity{Kind::function, index};
  return std::nullopt;
}

Operand BodyBuilder::refer(std::string_view name, Location where) {
  Operand operand;
  if (const auto entity = find(name)) {
    operand.kind = entity->kind;
    operand.index = entity->index;
  } else {
    operand.base = Kind::label;
    operand.index = add_reference(name, where);
  }
  return operand;
}

std::uint32_t BodyBuilder::add_reference(std::string_view name, Location where) {
  const auto index = static_cast<std::uint32_t>(references_.size());
  Reference reference{name, where, {}};
  const auto known = names_.find(name);
  if (known && is_forward_kind(known->kind)) {
    reference.entity = *known;
  } else {
    open_references_.back().push_back(index);
  }
  references_.push_back(reference);
  return index;
}

void BodyBuilder::open_scope() {
  names_.open();
  open_references_.emplace_back();
}

void BodyBuilder::close_scope() {
  std::vector<std::uint32_t> still_open;
  for (const std::uint32_t index : open_references_.back()) {
    const auto entity = names_.find_here(references_[index].name);
    if (entity && is_forward_kind(entity->kind)) {
      references_[index].entity = *entity;
    } else {
      still_open.push_back(index);
    }
  }
  open_references_.pop_back();
  names_.close();
  if (open_references_.empty()) return;
  auto& outer = open_references_.back();
  outer.insert(outer.end(), still_open.begin(), still_open.end());
}

std::uint32_t BodyBuilder::special_register(std::string_view name) {
  const auto [at, is_new] =
      special_registers_.try_emplace(name, static_cast<std::uint32_t>(body_.special_registers.size()));
  if (is_new) body_.special_registers.push_back(name);
  return at->second;
}

void BodyBuilder::settle_reference(Reference& reference) {
  if (!reference.name.starts_with('%'))
    source_.fail(reference.where, "'" + std::string(reference.name) + "' is not declared");
  reference.entity = {Kind::special_register, special_register(reference.name)};
}

void BodyBuilder::settle_operands() {
  for (Operand& operand : body_.operands) {
    if (operand.kind != Kind::none || operand.base != Kind::label) continue;
    const Entity& entity = references_[operand.index].entity;
    operand.kind = entity.kind;
    operand.base = Kind::none;
    operand.index = entity.index;
  }
  for (BranchTargets& targets : body_.branch_targets) {
    for (std::uint32_t& label : targets.labels) {
      const Reference& reference = references_[label];
      if (reference.entity.kind != Kind::label)
        source_.fail(reference.where, "'" + std::string(reference.name) + "' is no label");
      label = reference.entity.index;
    }
  }
}

}  // namespace wedjat::ptx
