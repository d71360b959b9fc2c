#include "emulator/kernel/legality/operand_rules.h"

#include <utility>

#include "emulator/kernel/forms/attached.h"
#include "emulator/kernel/forms/traits.h"
#include "emulator/kernel/lowered/special_registers.h"

namespace wedjat::kernel {
namespace {

using Kind = ptx::Operand::Kind;

// Whether `%r+4` can be written for such a register's value and four more.
bool has_sums(ptx::Type type) {
  const unsigned bytes = ptx::size_of(type);
  return type != ptx::Type::pred && !ptx::is_float(type) && (bytes == 2 || bytes == 4 || bytes == 8);
}

enum class Class : std::uint8_t { Bits, Integer, Float };

Class class_of(ptx::Type type) {
  switch (type) {
    case ptx::Type::b8:
    case ptx::Type::b16:
    case ptx::Type::b32:
    case ptx::Type::b64:
    case ptx::Type::b128:
      return Class::Bits;
    default:
      return ptx::is_float(type) ? Class::Float : Class::Integer;
  }
}

// f32 and f64 have registers of their own; the small and packed formats live in bit or integer registers as
// well.
bool has_own_registers(const OperandSpec& spec) { return spec.format == "f32" || spec.format == "f64"; }

Mismatch match_class(const OperandSpec& spec, ptx::Type type, bool wider) {
  const Class have = class_of(type);
  if (spec.value == ValueKind::Bits || have == Class::Bits)
    return wider && have == Class::Float ? Mismatch::type : Mismatch::none;
  if (spec.value == ValueKind::Float) {
    if (wider) return Mismatch::type;
    return have == Class::Float || !has_own_registers(spec) ? Mismatch::none : Mismatch::type;
  }
  return have == Class::Integer ? Mismatch::none : Mismatch::type;
}

Mismatch match_immediate(const OperandSpec& spec, const ptx::Operand& operand) {
  if (!spec.in) return Mismatch::kind;
  if (spec.kind == OperandKind::Predicate) {
    return operand.kind == Kind::integer ? Mismatch::none : Mismatch::immediate;
  }
  if (operand.kind == Kind::integer)
    return spec.value == ValueKind::Float ? Mismatch::immediate : Mismatch::none;
  if (spec.value == ValueKind::Float)
    return has_own_registers(spec) && spec.parts == 1 ? Mismatch::none : Mismatch::immediate;
  const unsigned bits = operand.kind == Kind::float32 ? 32 : 64;
  return spec.value == ValueKind::Bits && spec.bits == bits ? Mismatch::none : Mismatch::immediate;
}

bool is_variable(Kind kind) {
  return kind == Kind::variable || kind == Kind::local_variable || kind == Kind::parameter ||
         kind == Kind::return_parameter;
}

bool is_symbol(Kind kind) { return is_variable(kind) || kind == Kind::function; }

// A register that PTX does not have is refused by name when it is read.
Mismatch match_special(bool predicate, std::string_view name) {
  const SpecialName* const special = special_register_named(name);
  if (predicate != (special != nullptr && special->bits == 0)) return Mismatch::kind;
  return special != nullptr && special->is_vector ? Mismatch::elements : Mismatch::none;
}

// One element: a register, literal, special register, symbol or sink.
Mismatch match_element(const OperandSpec& spec, const ptx::Body& body, const ptx::Operand& operand) {
  const bool predicate = spec.kind == OperandKind::Predicate || spec.value == ValueKind::Pred;
  if (operand.negated && !spec.negatable) return Mismatch::negation;
  switch (operand.kind) {
    case Kind::sink:
      return spec.out ? Mismatch::none : Mismatch::kind;
    case Kind::reg: {
      if (spec.kind == OperandKind::Immediate) return Mismatch::kind;
      const ptx::RegisterDeclaration& declared = body.declaration_of(operand.index);
      if (declared.vector_width > 1 && operand.component == ptx::Operand::kNoComponent)
        return Mismatch::elements;
      if (operand.value != 0 && (!spec.in || !has_sums(declared.type))) return Mismatch::kind;
      return match_register(spec, declared.type);
    }
    case Kind::integer:
    case Kind::float32:
    case Kind::float64:
      return match_immediate(spec, operand);
    case Kind::special_register:
      if (!spec.in || spec.kind == OperandKind::Immediate) return Mismatch::kind;
      return match_special(predicate, body.special_registers[operand.index]);
    default:
      if (!is_symbol(operand.kind == Kind::element ? operand.base : operand.kind) || !spec.in || predicate ||
          spec.kind == OperandKind::Immediate || spec.value == ValueKind::Float)
        return Mismatch::kind;
      return spec.bits == 32 || spec.bits == 64 ? Mismatch::none : Mismatch::width;
  }
}

Mismatch match_vector(const OperandSpec& spec, const ptx::Body& body, const ptx::Operand& operand,
                      bool is_longer) {
  if (operand.kind == Kind::reg) {  // a .v2 or .v4 register
    const ptx::RegisterDeclaration& declared = body.declaration_of(operand.index);
    if (operand.component != ptx::Operand::kNoComponent || declared.vector_width != spec.count ||
        spec.count == 1)
      return Mismatch::elements;
    return match_register(spec, declared.type);
  }
  if (operand.kind == Kind::special_register) {  // %tid and the like, all four components
    if (!spec.in) return Mismatch::kind;
    const SpecialName* const special = special_register_named(body.special_registers[operand.index]);
    return spec.count == 4 && special != nullptr && special->is_vector && spec.bits == special->bits
               ? Mismatch::none
               : Mismatch::elements;
  }
  if (operand.kind != Kind::vector) return Mismatch::kind;
  if (operand.count != spec.count && !(is_longer && operand.count > spec.count)) return Mismatch::elements;
  for (const ptx::Operand& part : body.parts_of(operand)) {
    if (part.minus) return Mismatch::kind;
    if (part.selector != 0) return Mismatch::selector;
    if (const Mismatch mismatch = match_element(spec, body, part); mismatch != Mismatch::none)
      return mismatch;
  }
  return Mismatch::none;
}

// Tensor memory has no variables, and its addresses have 32 bits.
bool is_in_tensor_memory(const ptx::Body& body, const ptx::Operand& operand) {
  return operand.base == Kind::reg && ptx::size_of(body.declaration_of(operand.index).type) == 4;
}

// `is_longer`: a vector may have more elements than are read.
Mismatch match(const OperandSpec& spec, const ptx::Body& body, const ptx::Operand& operand, bool is_longer) {
  switch (spec.kind) {
    case OperandKind::Register:
    case OperandKind::Predicate:
    case OperandKind::Immediate:
      return match_element(spec, body, operand);
    case OperandKind::Vector:  // in braces, even one alone
      return match_vector(spec, body, operand, is_longer);
    case OperandKind::Fragment:
      if (spec.count == 1 && operand.kind != Kind::vector) return match_element(spec, body, operand);
      return match_vector(spec, body, operand, is_longer);
    case OperandKind::Address:
      return operand.is_address() && (spec.format != "tensor" || is_in_tensor_memory(body, operand))
                 ? Mismatch::none
                 : Mismatch::kind;
    case OperandKind::Label:
      return operand.kind == Kind::label || operand.kind == Kind::branch_targets ? Mismatch::none
                                                                                 : Mismatch::kind;
    case OperandKind::Function:
      return Mismatch::none;  // lowering of calls checks target and prototype
    case OperandKind::List:
      return operand.kind == Kind::list || operand.kind == Kind::branch_targets ? Mismatch::none
                                                                                : Mismatch::kind;
  }
  return Mismatch::kind;
}

}  // namespace

Mismatch match_register(const OperandSpec& spec, ptx::Type type) {
  const bool predicate = spec.kind == OperandKind::Predicate || spec.value == ValueKind::Pred;
  if (predicate || type == ptx::Type::pred) {
    return predicate && type == ptx::Type::pred ? Mismatch::none : Mismatch::type;
  }
  const unsigned bits = 8 * ptx::size_of(type);
  if (bits < spec.bits || (bits > spec.bits && !spec.extends)) return Mismatch::width;
  return match_class(spec, type, bits > spec.bits);
}

namespace {

// The attached operands behind operand `i` take what is written at it; whatever nobody takes is a mismatch.
Mismatch bind_attached(const Form& form, unsigned& i, const ptx::Body& body, const ptx::Operand& operand,
                       std::vector<BoundOperand>& bound) {
  bool minus = operand.minus;
  std::string_view selector = operand.selector == 0 || operand.kind != Kind::reg
                                  ? std::string_view()
                                  : body.selectors[operand.selector - 1u];
  for (; i + 1 < form.operands && form.operand[i + 1].attached.what != Attach::None; ++i) {
    const OperandSpec& spec = form.operand[i + 1];
    if (spec.attached.what == Attach::Minus) {
      bound.push_back({&spec, nullptr, std::exchange(minus, false) ? 1u : 0u});
      continue;
    }
    const auto number = selected(spec.attached, std::exchange(selector, {}));
    if (!number) return Mismatch::selector;
    bound.push_back({&spec, nullptr, *number});
  }
  if (minus) return Mismatch::kind;
  return selector.empty() ? Mismatch::none : Mismatch::selector;
}

// Instructions that move values take {a} for a.
const ptx::Operand* without_braces(const Form& form, const OperandSpec& spec, const ptx::Body& body,
                                   const ptx::Operand* operand) {
  const bool scalar = spec.kind == OperandKind::Register && spec.count == 1;
  const bool bare = scalar && operand->kind == Kind::vector && operand->count == 1;
  return bare && traits_of(form).has(trait::braces) ? &body.parts_of(*operand)[0] : operand;
}

// The address of a variable is an operand of what makes addresses of it; that of a function is a number
// anywhere.
bool takes_variables(const Form& form) { return traits_of(form).has(trait::variables); }

// `a[2]` is the address of an element: where values are moved to or from, and where an address is moved.
bool takes_elements(const Form& form, const OperandSpec& spec) {
  const bool is_address = spec.kind == OperandKind::Address;
  return traits_of(form).has(trait::elements) && (is_address || takes_variables(form));
}

// Of textures and surfaces: vectors of 2 or 4, of which as many are read as there are coordinates.
bool are_coordinates(const Form& form, const OperandSpec& spec, const ptx::Operand& operand) {
  return spec.paired && spec.in && operand.kind == Kind::vector && operand.count % 2 == 0 &&
         traits_of(form).has(trait::texels);
}

// How many operands from `i` on are written behind another.
std::size_t paired_from(const Form& form, unsigned i) {
  std::size_t count = 0;
  while (i + count < form.operands && form.operand[i + count].paired) ++count;
  return count;
}

}  // namespace

Match bind(const Form& form, const ptx::Body& body, std::span<const ptx::Operand> operands,
           std::vector<BoundOperand>& bound) {
  bound.clear();
  // What stands behind the operand just bound: after its `|` or in the same brackets.
  std::span<const ptx::Operand> behind;
  unsigned next = 0;
  for (unsigned i = 0; i < form.operands; ++i) {
    const OperandSpec& spec = form.operand[i];
    const ptx::Operand* operand = nullptr;
    if (spec.paired) {
      const bool left_out = behind.empty() || (spec.optional && behind.size() < paired_from(form, i));
      if (left_out && !spec.out && !spec.optional) return {Mismatch::count, next};
      if (!left_out) operand = &behind.front(), behind = behind.subspan(1);
    } else if (next < operands.size()) {
      if (!behind.empty()) return {Mismatch::kind, next - 1};
      operand = &operands[next++];
      if (operand->kind == Kind::pair || operand->kind == Kind::bracket_list) {
        behind = body.parts_of(*operand);
        operand = &behind.front();
        behind = behind.subspan(1);
      }
    } else if (!spec.optional) {
      return {Mismatch::count, next};
    }
    if (operand != nullptr) operand = without_braces(form, spec, body, operand);
    bound.push_back({&spec, operand});
    if (operand == nullptr) continue;
    if (operand->kind == Kind::element && !takes_elements(form, spec)) return {Mismatch::kind, next - 1};
    if (is_variable(operand->kind) && spec.kind == OperandKind::Register && !spec.paired &&
        !takes_variables(form))
      return {Mismatch::kind, next - 1};
    Mismatch mismatch = match(spec, body, *operand, are_coordinates(form, spec, *operand));
    if (mismatch == Mismatch::none) mismatch = bind_attached(form, i, body, *operand, bound);
    if (mismatch != Mismatch::none && spec.optional && !spec.paired && i + 1 < form.operands &&
        form.operand[i + 1].optional) {
      bound.back().operand = nullptr;  // left out: the next optional operand may be meant
      --next;
      continue;
    }
    if (mismatch != Mismatch::none) return {mismatch, next - 1};
  }
  if (!behind.empty()) return {Mismatch::kind, next - 1};
  if (next < operands.size()) return {Mismatch::count, next};
  return {};
}

}  // namespace wedjat::kernel
