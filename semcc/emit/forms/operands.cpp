#include "semcc/emit/forms/operands.h"

#include <fmt/format.h>

namespace semcc::emit {
namespace {

const char* kind_name(ir::OperandKind kind) {
  static constexpr const char* names[] = {"Register", "Predicate", "Address",  "Immediate", "Label",
                                          "Vector",   "Fragment",  "Function", "List"};
  return names[static_cast<int>(kind)];
}

// What stands for no place in memory: a texture, surface or sampler; a place in tensor memory.
const char* opaque_name(ir::Space space) {
  if (space == ir::Space::Texture) return "texture";
  if (space == ir::Space::Surface) return "surface";
  if (space == ir::Space::Tensor) return "tensor";
  return space == ir::Space::Sampler ? "sampler" : nullptr;
}

const char* space_name(ir::Space space) {
  if (opaque_name(space) != nullptr) return "None";
  static constexpr const char* names[] = {"None",  "Generic", "Global", "Shared",     "SharedCluster",
                                          "Local", "Const",   "Param",  "ParamEntry", "ParamFunc"};
  return names[static_cast<int>(space)];
}

const char* value_name(const ir::Type& type) {
  switch (type.kind) {
    case ir::Kind::Integer:
      return type.is_signed ? "Signed" : type.is_bits ? "Bits" : "Unsigned";
    case ir::Kind::Float:
      return "Float";
    case ir::Kind::Pred:
      return "Pred";
    case ir::Kind::Real:
    case ir::Kind::None:
      break;
  }
  return "None";
}

const char* attachment_name(ir::Attachment::What what) {
  static constexpr const char* names[] = {"None", "Minus", "Part", "Pick", "Mask"};
  return names[static_cast<int>(what)];
}

std::string row(const ir::Operand& operand) {
  const char* const opaque = opaque_name(operand.space);
  return fmt::format(
      "{{OperandKind::{}, ValueKind::{}, {}, {}, {}, Space::{}, {}, {}, {}, {}, {}, {}, {}, "
      "{{Attach::{}, {}, {}, {:#x}}}, \"{}\"sv, \"{}\"sv}},\n",
      kind_name(operand.kind), value_name(operand.type), operand.type.bits(), operand.type.parts,
      operand.count, space_name(operand.space), operand.in, operand.out, operand.negatable, operand.sink,
      operand.paired, operand.optional, operand.extends, attachment_name(operand.attached.what),
      operand.attached.required, operand.attached.elements, operand.attached.absent, operand.name,
      opaque != nullptr ? opaque : ir::format_name(operand.type.format));
}

}  // namespace

std::size_t OperandPool::add(const ir::Form& form) {
  std::string rows;
  for (const ir::Operand& operand : form.operands) rows += row(operand);
  if (rows.empty()) return 0;
  const auto [at, added] = known_.try_emplace(rows, size_);
  if (added) {
    text_ += rows;
    size_ += form.operands.size();
  }
  return at->second;
}

}  // namespace semcc::emit
