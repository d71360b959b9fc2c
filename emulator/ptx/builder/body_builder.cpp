#include "emulator/ptx/builder/body_builder.h"

namespace wedjat::ptx {
namespace {

using Kind = Operand::Kind;

/// Most targets `L<n>` may name.
constexpr std::uint64_t kMaxTargetRange = 1u << 16;

}  // namespace

BodyBuilder::BodyBuilder(const Function& function)
    : function_(function),
      module_(function.module()),
      source_(module_.source()),
      expressions_(source_),
      declarations_(source_, module_.version, body_.generated_names),
      open_references_(1) {}

std::unique_ptr<const Body> BodyBuilder::build() {
  declare_parameters(function_.returns, Kind::return_parameter, body_.return_registers);
  declare_parameters(function_.parameters, Kind::parameter, body_.parameter_registers);
  const std::size_t begin = source_.offset_of(function_.body_text().data());
  Parser parser(source_, begin, begin + function_.body_text().size());
  while (!parser.at_end()) statement(parser.statement());
  close_scope();
  for (Reference& reference : references_)
    if (reference.entity.kind == Kind::none) settle_reference(reference);
  settle_operands();
  return std::move(owned_);
}

void BodyBuilder::declare(std::string_view name, Kind kind, std::size_t index, Location where) {
  if (!names_.declare(name, {kind, static_cast<std::uint32_t>(index)}))
    source_.fail(where, "'" + std::string(name) + "' is declared twice");
}

void BodyBuilder::declare_parameters(const std::vector<Parameter>& list, Kind kind,
                                     std::vector<std::uint32_t>& registers) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Parameter& parameter = list[i];
    if (parameter.space == Space::reg) {
      registers.push_back(add_registers({.name = parameter.name,
                                         .type = parameter.type,
                                         .vector_width = parameter.vector_width,
                                         .where = parameter.where}));
    } else {
      registers.push_back(kNone);
      if (parameter.name != "_") declare(parameter.name, kind, i, parameter.where);
    }
  }
}

void BodyBuilder::statement(const Grammar::StatementContext& statement) {
  if (statement.call_ != nullptr || statement.instruction_ != nullptr) {
    instruction(statement);
  } else if (statement.name != nullptr) {
    label(statement.name, statement.labelled_);
  } else if (statement.declaration_ != nullptr) {
    declaration(*statement.declaration_);
  } else if (statement.loc_ != nullptr) {
    loc(*statement.loc_);
  } else if (statement.pragma_ != nullptr) {
    std::vector<std::string_view> strings;
    declarations_.pragma(*statement.pragma_, strings);
    for (const std::string_view string : strings) body_.pragmas.push_back({string, position()});
  } else {
    block(statement.block);
  }
}

void BodyBuilder::block(const antlr4::Token* brace) {
  if (text(brace) == "}") return close_scope();
  if (names_.depth() == kMaxScopes) fail(brace, "blocks nested too deeply");
  open_scope();
}

void BodyBuilder::declaration(const Grammar::DeclarationContext& declaration) {
  if (!Declarations::is_register(declaration, source_)) return add_variables(declaration);
  for (const RegisterDeclaration& one : declarations_.registers(declaration)) add_registers(one);
}

std::uint32_t BodyBuilder::add_registers(RegisterDeclaration declaration) {
  declaration.first = body_.register_count;
  if (declaration.count > kMaxRegisters - body_.register_count)
    source_.fail(declaration.where, "a body has at most " + std::to_string(kMaxRegisters) + " registers");
  const Entity first{Kind::reg, declaration.first};
  if (declaration.is_range) {
    if (!names_.declare_range(declaration.name, first, declaration.count))
      source_.fail(declaration.where,
                   "registers of '" + std::string(declaration.name) + "<>' are declared twice");
  } else {
    declare(declaration.name, Kind::reg, declaration.first, declaration.where);
  }
  body_.register_count += declaration.count;
  if (declaration.count != 0) body_.registers.push_back(declaration);
  return declaration.first;
}

void BodyBuilder::add_variables(const Grammar::DeclarationContext& declaration) {
  std::size_t index = body_.variables.size();
  declarations_.variables(declaration, Linkage::none, false, body_.variables);
  for (; index < body_.variables.size(); ++index) {
    const Variable& variable = body_.variables[index];
    declare(variable.name, Kind::local_variable, index, variable.where);
    check_relocations(module_, variable);
  }
}

void BodyBuilder::loc(const Grammar::LocContext& context) {
  const auto number = [&](std::size_t i) {
    return static_cast<std::uint32_t>(expressions_.number(context.numbers[i], 0xffffffffu));
  };
  Loc loc{.file = number(0), .line = number(1), .column = number(2)};
  if (context.about != nullptr) {
    if (text(context.about) != "function_name") fail(context.about, "expected function_name");
    if (text(context.inlined) != "inlined_at") fail(context.inlined, "expected inlined_at");
    loc.function_name = text(context.label);
    if (context.offset != nullptr) loc.function_name_offset = expressions_.number(context.offset);
    loc.inlined_file = number(3);
    loc.inlined_line = number(4);
    loc.inlined_column = number(5);
  }
  body_.locs.push_back(loc);
}

void BodyBuilder::label(const antlr4::Token* token, const Grammar::LabelledContext* labelled) {
  const std::string_view name = declarations_.declared_name(token);
  if (labelled == nullptr) {
    declare(name, Kind::label, body_.labels.size(), location(token));
    body_.labels.push_back({name, position(), location(token)});
    return;
  }
  const std::string_view kind = text(labelled->kind);
  if (kind == ".branchtargets") {
    declare(name, Kind::branch_targets, body_.branch_targets.size(), location(token));
    branch_targets(name, *labelled);
  } else if (kind == ".calltargets") {
    declare(name, Kind::call_targets, body_.call_targets.size(), location(token));
    call_targets(name, *labelled);
  } else {
    declare(name, Kind::prototype, body_.prototypes.size(), location(token));
    prototype(name, *labelled);
  }
}

void BodyBuilder::branch_targets(std::string_view name, const Grammar::LabelledContext& list) {
  BranchTargets out{.name = name, .where = location(list.kind)};
  for (const Grammar::TargetContext* target : list.targets) {
    const std::string_view label = declarations_.declared_name(target->name);
    if (target->count == nullptr) {
      out.labels.push_back(add_reference(label, location(target->name)));
      continue;
    }
    const std::uint64_t count = expressions_.number(target->count, kMaxTargetRange);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::string& numbered =
          body_.generated_names.emplace_back(std::string(label) + std::to_string(i));
      out.labels.push_back(add_reference(numbered, location(target->name)));
    }
  }
  body_.branch_targets.push_back(std::move(out));
}

void BodyBuilder::call_targets(std::string_view name, const Grammar::LabelledContext& list) {
  CallTargets out{.name = name, .where = location(list.kind)};
  for (const Grammar::TargetContext* target : list.targets) {
    const std::uint32_t function = module_.find_function(text(target->name));
    if (function == kNone || target->count != nullptr)
      fail(target->name, "'" + std::string(text(target->name)) + "' is no function");
    out.functions.push_back(function);
  }
  body_.call_targets.push_back(std::move(out));
}

void BodyBuilder::prototype(std::string_view name, const Grammar::LabelledContext& context) {
  Prototype out{.name = name, .where = location(context.kind)};
  out.returns = declarations_.parameters(context.results, false);
  out.parameters = declarations_.parameters(context.arguments, true);
  declarations_.directives(context.directives, Declarations::Owner::prototype, out.directives);
  body_.prototypes.push_back(std::move(out));
}

Function::Function() = default;
Function::~Function() = default;

const Body& Function::body() const {
  std::call_once(once_, [this] { body_ = BodyBuilder(*this).build(); });
  return *body_;
}

}  // namespace wedjat::ptx
