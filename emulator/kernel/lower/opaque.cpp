// Textures, surfaces and samplers as operands (PTX ISA 5.3): the name of a variable or of an entry's
// parameter, or a 64-bit register.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "emulator/kernel/lower/lowering.h"

namespace wedjat::kernel {
namespace {

bool has_samplers_apart(const ptx::Module& module) {
  return std::ranges::count(module.targets, "texmode_independent") != 0;
}

// The type that its name must have; none: the operand is of another kind. Without samplers apart a texture is
// asked about its own.
std::optional<ptx::Type> opaque_type(const ptx::Module& module, const OperandSpec& spec) {
  if (spec.format == "texture") return ptx::Type::texref;
  if (spec.format == "surface") return ptx::Type::surfref;
  if (spec.format != "sampler") return std::nullopt;
  return spec.paired || has_samplers_apart(module) ? ptx::Type::samplerref : ptx::Type::texref;
}

}  // namespace

ptx::Type Lowering::named_type(Kind kind, std::uint32_t index) const {
  if (kind == Kind::parameter) return function_.parameters[index].type;
  if (kind == Kind::variable) return module_.variables[index].type;
  if (kind == Kind::local_variable) return body_.variables[index].type;
  return ptx::Type::b8;
}

// `at` is that of the texture: coordinates stand in its brackets, and before them a sampler, or none.
void Lowering::check_sampler(std::size_t at) const {
  if (at + 1 == bound_.size() || !bound_[at + 1].spec->paired) return;  // only asked about
  const BoundOperand& next = bound_[at + 1];
  const bool given = next.spec->format == "sampler" && next.operand != nullptr;
  if (given == has_samplers_apart(module_)) return;
  refuse_here(given ? "a sampler apart needs .target texmode_independent"
                    : "under .target texmode_independent a sampler stands behind the texture");
}

void Lowering::check_opaque() const {
  for (std::size_t i = 0; i < bound_.size(); ++i) {
    const OperandSpec& spec = *bound_[i].spec;
    const std::optional<ptx::Type> type = opaque_type(module_, spec);
    if (!type) continue;
    if (type == ptx::Type::texref) check_sampler(i);
    if (bound_[i].operand == nullptr) continue;
    const ptx::Operand& operand = *bound_[i].operand;
    const Kind kind = operand.kind == Kind::address ? operand.base : operand.kind;
    const bool wide_register =
        kind == Kind::reg && ptx::size_of(body_.declaration_of(operand.index).type) == 8;
    if (!(wide_register || named_type(kind, operand.index) == type) || operand.value != 0)
      refuse_here(
          fmt::format("operand {} must be a .{} or a 64-bit register", spec.name, ptx::name_of(*type)));
  }
}

}  // namespace wedjat::kernel
