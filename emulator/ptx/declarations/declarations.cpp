// Variables, registers and parameters (PTX ISA 5.1, 5.4, 7.1).
#include "emulator/ptx/declarations/declarations.h"

#include "emulator/ptx/declarations/initializer.h"
#include "emulator/ptx/declarations/specified.h"

namespace wedjat::ptx {

std::string_view Declarations::declared_name(const antlr4::Token* token) const {
  const std::string_view name = text(token);
  if (name == "_" || name.find('.') != std::string_view::npos)
    fail(token, "'" + std::string(name) + "' is no name that can be declared");
  return name;
}

Space Declarations::space(const antlr4::Token* token, bool is_module_scope) const {
  const std::string_view name = text(token);
  if (name == ".global") return Space::global;
  if (name == ".const") return Space::constant;
  if (name == ".shared") return Space::shared;
  if (name == ".tex") {
    if (version_.number() >= 105)
      fail(token, "state space .tex was removed in PTX 1.5: declare .global .texref");
    if (!is_module_scope) fail(token, "variables in .tex belong at module scope");
    return Space::global;
  }
  if (name == ".sreg") fail(token, "special registers are predefined and cannot be declared");
  if (is_module_scope)
    fail(token, "variables in " + std::string(name) + " belong in a function, not at module scope");
  return name == ".local" ? Space::local : Space::param;
}

bool Declarations::is_register(const Grammar::DeclarationContext& declaration, const Source& source) {
  return text_of(source, declaration.space) == ".reg";
}

void Declarations::extents(const std::vector<Grammar::DimensionContext*>& dimensions,
                           Variable& variable) const {
  std::uint64_t size = variable.element_size();
  for (const Grammar::DimensionContext* dimension : dimensions) {
    std::uint64_t extent = 0;
    if (dimension->extent != nullptr) extent = expressions_.number(dimension->extent, kMaxVariableBytes);
    if (extent == 0 && dimension != dimensions.front())
      fail(dimension->start, "only the first extent may be left open");
    if (extent != 0 && size > kMaxVariableBytes / extent)
      fail(dimension->start, "a variable is at most 2^48 bytes");
    if (extent != 0) size *= extent;
    variable.extents.push_back(extent);
  }
}

void Declarations::check(const Variable& variable, std::size_t where) const {
  const std::string name = "'" + std::string(variable.name) + "'";
  if (variable.type == Type::pred) source_.fail(where, "predicate " + name + " must be a register");
  if (is_opaque(variable.type) && variable.space != Space::global)
    source_.fail(where, "texture, surface and sampler variables must be in .global");
  if (variable.linkage == Linkage::common && variable.space != Space::global)
    source_.fail(where, ".common variables must be in .global");
  if (variable.managed && variable.space != Space::global)
    source_.fail(where, ".managed variables must be in .global");
  const bool may_be_unsized = variable.linkage == Linkage::external || variable.space == Space::param;
  if (variable.is_unsized() && !may_be_unsized && !variable.has_initializer)
    source_.fail(where, name + " is an array of unknown size and not .extern");
}

// What stands in .tex is a texture, whatever its type.
void Declarations::make_texture(Variable& variable, std::size_t where) const {
  const bool is_handle = variable.type == Type::u32 || variable.type == Type::u64;
  if (!is_handle || variable.vector_width != 1 || !variable.extents.empty())
    source_.fail(where, "'" + std::string(variable.name) + "' in .tex must be one .u32 or .u64");
  variable.type = Type::texref;
}

void Declarations::initialize(const Grammar::DeclaratorContext& declarator, Variable& variable) {
  if (declarator.equals == nullptr) return;
  if (variable.linkage == Linkage::external)
    fail(declarator.equals, "an .extern variable has no initial value");
  if (declarator.count != nullptr) fail(declarator.equals, "a range of variables has no initial value");
  if (variable.space != Space::global && variable.space != Space::constant)
    fail(declarator.equals,
         "variables in ." + std::string(name_of(variable.space)) + " have no initial value");
  Initializer initializer(source_, version_, variable);
  if (declarator.value != nullptr) return initializer.set_scalar(*declarator.value);
  // At module scope ANTLR has not seen what stands between these braces.
  const std::size_t begin = offset_of(declarator.list->open) + 1;
  initializer.set_list(begin, offset_of(declarator.list->close));
}

void Declarations::expand(const antlr4::Token* count, const Variable& variable, std::vector<Variable>& out) {
  const std::uint64_t number = expressions_.number(count, kMaxVariableRange);
  if (!variable.extents.empty()) fail(count, "a range of variables has no extents");
  for (std::uint64_t i = 0; i < number; ++i) {
    out.push_back(variable);
    out.back().name = names_.emplace_back(std::string(variable.name) + std::to_string(i));
  }
}

void Declarations::variables(const Grammar::DeclarationContext& declaration, Linkage linkage,
                             bool is_module_scope, std::vector<Variable>& out) {
  const Space in = space(declaration.space, is_module_scope);
  const Specified specified = specifiers(declaration.specifiers, declaration.space);
  const bool is_texture = text(declaration.space) == ".tex";
  if (specified.is_pointer) fail(declaration.space, ".ptr is for parameters of entries");
  for (const Grammar::DeclaratorContext* declarator : declaration.declarators) {
    Variable variable;
    variable.name = declared_name(declarator->name);
    variable.space = in;
    variable.linkage = linkage;
    variable.type = specified.type;
    variable.vector_width = specified.vector_width;
    variable.managed = specified.managed;
    variable.unified = specified.unified;
    variable.alignment = specified.natural_or_written_alignment();
    variable.where = source_.location(offset_of(declarator->name));
    extents(declarator->dimensions, variable);
    if (is_texture) make_texture(variable, offset_of(declarator->name));
    initialize(*declarator, variable);
    check(variable, offset_of(declarator->name));
    if (declarator->count == nullptr) {
      out.push_back(std::move(variable));
    } else {
      expand(declarator->count, variable, out);
    }
  }
}

std::vector<RegisterDeclaration> Declarations::registers(const Grammar::DeclarationContext& declaration) {
  const Specified specified = specifiers(declaration.specifiers, declaration.space);
  if (is_opaque(specified.type) || specified.is_pointer || specified.managed || specified.unified)
    fail(declaration.space, "a register has a fundamental type and no attributes");
  std::vector<RegisterDeclaration> out;
  for (const Grammar::DeclaratorContext* declarator : declaration.declarators) {
    if (declarator->equals != nullptr) fail(declarator->equals, "a register has no initial value");
    if (!declarator->dimensions.empty()) fail(declarator->name, "there are no arrays of registers");
    RegisterDeclaration reg{.name = declared_name(declarator->name),
                            .type = specified.type,
                            .vector_width = specified.vector_width,
                            .is_range = declarator->count != nullptr,
                            .where = source_.location(offset_of(declarator->name))};
    if (reg.is_range)
      reg.count = static_cast<std::uint32_t>(expressions_.number(declarator->count, kMaxRegisters));
    out.push_back(reg);
  }
  return out;
}

Parameter Declarations::parameter(const Grammar::ParameterContext& context) {
  const std::string_view in = text(context.space);
  if (in != ".param" && in != ".reg") fail(context.space, "a parameter is in .param or .reg");
  const Specified specified = specifiers(context.specifiers, context.space);
  Parameter out;
  out.name = text(context.name) == "_" ? text(context.name) : declared_name(context.name);
  out.space = in == ".reg" ? Space::reg : Space::param;
  out.type = specified.type;
  out.vector_width = specified.vector_width;
  out.alignment = specified.natural_or_written_alignment();
  out.is_pointer = specified.is_pointer;
  out.pointer_space = specified.pointer_space;
  out.pointer_alignment = specified.pointer_alignment;
  out.where = source_.location(offset_of(context.name));
  if (out.space == Space::reg && (!context.dimensions.empty() || is_opaque(out.type) || out.is_pointer))
    fail(context.name, "a .reg parameter is a scalar or vector");
  if (out.space == Space::param && out.type == Type::pred)
    fail(context.name, "a predicate parameter must be in .reg");
  Variable shape{.type = out.type, .vector_width = out.vector_width};
  extents(context.dimensions, shape);
  out.is_array = !shape.extents.empty();
  for (const std::uint64_t extent : shape.extents) out.extent *= extent;
  return out;
}

std::vector<Parameter> Declarations::parameters(const Grammar::ParametersContext* list,
                                                bool is_unsized_allowed) {
  std::vector<Parameter> out;
  if (list == nullptr) return out;
  for (const Grammar::ParameterContext* context : list->list) {
    out.push_back(parameter(*context));
    if (out.back().extent == 0 && (!is_unsized_allowed || context != list->list.back()))
      fail(context->name, "only the last parameter of a function may be an array of unknown size");
  }
  return out;
}

}  // namespace wedjat::ptx
